/** The engines that read grammars: each answers whether it takes a grammar, and which texts that grammar allows. */

import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { compileFunction, constants } from 'node:vm'
import type * as WebXGrammar from '@mlc-ai/web-xgrammar'
import type { StructuralTag } from '../../../src/requests/grammar/index.ts'

/** A grammar as an engine has read it. */
export interface ReadGrammar {
  allows(text: string): boolean | Promise<boolean>
}

const require = createRequire(import.meta.url)

/** The classes of llama.cpp's binding for Node that are used here: they need no model. */
interface LlamaAddon {
  readonly AddonGrammar: new (
    gbnf: string,
    options: { readonly addonExports: LlamaAddon },
  ) => { isTextCompatible(text: string): boolean }
}

/** The parser and the matcher of llama.cpp. `path`: where its binding is. */
export class LlamaEngine {
  private readonly addon: LlamaAddon

  constructor(path: string) {
    this.addon = require(path) as LlamaAddon
  }

  readGbnf(gbnf: string): ReadGrammar {
    const grammar = new this.addon.AddonGrammar(gbnf, { addonExports: this.addon })
    return { allows: (text) => grammar.isTextCompatible(text) }
  }
}

/** XGrammar, the engine of vLLM and SGLang, compiled to WebAssembly. */
export class XGrammarEngine {
  private readonly library: typeof WebXGrammar
  private readonly compiler: WebXGrammar.GrammarCompiler

  private constructor(library: typeof WebXGrammar, compiler: WebXGrammar.GrammarCompiler) {
    this.library = library
    this.compiler = compiler
  }

  static async start(): Promise<XGrammarEngine> {
    const library = loadXGrammar()
    // Texts are matched by their characters: of the tokens, only the end of the text matters.
    const vocabulary = await library.TokenizerInfo.createTokenizerInfo(['</s>', 'a'], 'raw', false, 2, 0)
    return new XGrammarEngine(library, await library.GrammarCompiler.createGrammarCompiler(vocabulary, false))
  }

  async readGbnf(gbnf: string): Promise<ReadGrammar> {
    return this.readCompiled(await this.compiler.compileGrammar(gbnf))
  }

  async readStructuralTag(tag: StructuralTag): Promise<ReadGrammar> {
    return this.readCompiled(await this.compiler.compileStructuralTag(JSON.stringify(tag)))
  }

  private readCompiled(compiled: WebXGrammar.CompiledGrammar): ReadGrammar {
    return {
      allows: async (text) => {
        const matcher = await this.library.GrammarMatcher.createGrammarMatcher(compiled, undefined, true)
        const isAllowed = matcher._acceptString(text) && matcher.isTerminated()
        matcher.dispose()
        return isAllowed
      },
    }
  }
}

/** The package is CommonJS in files that Node takes for ES modules: importing it gives nothing. */
function loadXGrammar(): typeof WebXGrammar {
  const path = require.resolve('@mlc-ai/web-xgrammar')
  const module = { exports: {} }
  const run = compileFunction(readFileSync(path, 'utf8'), ['module', 'exports', 'require', '__filename'], {
    filename: path,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  })
  run(module, module.exports, require, path)
  return module.exports as typeof WebXGrammar
}
