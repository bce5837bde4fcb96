/** The part of the page that finds the dialect of a chat template. */

import { addPart } from './parts.ts'
import { TemplatePane } from './template-pane.ts'
import { formatOf, sampleOfTemplate } from './template-sample.ts'

addPart('templates', { formatOf, sampleOfTemplate, TemplatePane })
