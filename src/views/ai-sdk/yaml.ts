/** The middleware of yaml-xml. An entry of its own, because it brings a YAML library. */

import { yamlXml } from '../../yaml/index.ts'
import { createToolMiddleware } from './versions.ts'

export const yamlXmlMiddleware = /* @__PURE__ */ createToolMiddleware({ dialect: yamlXml })
