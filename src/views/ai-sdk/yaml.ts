/** The middleware of yaml-xml. An entry of its own, because it brings a YAML library. */

import { yamlXml } from '../../dialects/yaml/index.ts'
import { createToolMiddleware } from './versions.ts'

/** Gives a model tool calls in the dialect `yaml-xml`. */
export const yamlXmlMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: yamlXml })
