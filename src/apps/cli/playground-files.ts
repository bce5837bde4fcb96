/** The files of the playground, as a server sends them. */

import { readFile } from 'node:fs/promises'
import type { PageFiles } from '../../gateway/app.ts'
import { Failure } from './command.ts'

/** Where the build puts them, beside the command. */
const FOLDER = new URL('../playground/', import.meta.url)

const SCRIPT = 'text/javascript; charset=utf-8'

const FILES: Readonly<Record<string, { readonly file: string; readonly type: string }>> = {
  '/': { file: 'index.html', type: 'text/html; charset=utf-8' },
  '/playground.js': { file: 'playground.js', type: SCRIPT },
  '/playground-providers.js': { file: 'playground-providers.js', type: SCRIPT },
  '/playground-templates.js': { file: 'playground-templates.js', type: SCRIPT },
  '/playground-style.css': { file: 'playground-style.css', type: 'text/css; charset=utf-8' },
}

/** The page repeats most of it, for when it is opened from disk. Only a header can say who may frame it. */
const HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-cache',
}

/** What is behind the page: nothing, or a gateway through which it can ask a model, and that may keep runs. */
export type Behind = 'nothing' | 'gateway' | 'gateway-with-log'

export function pageFiles(behind: Behind, folder: URL = FOLDER): PageFiles {
  return async (path) => {
    const found = Object.hasOwn(FILES, path) ? FILES[path] : undefined
    if (found === undefined) return undefined
    const bytes = await readFile(new URL(found.file, folder)).catch((error: NodeJS.ErrnoException) => {
      throw new Failure(`The playground is not built: ${error.message}.`)
    })
    const body = path === '/' ? saying(behind, bytes.toString()) : new Uint8Array(bytes)
    return new Response(body, { headers: { ...HEADERS, 'content-type': found.type } })
  }
}

function saying(behind: Behind, page: string): string {
  return page.replace('data-behind="nothing"', `data-behind="${behind}"`)
}
