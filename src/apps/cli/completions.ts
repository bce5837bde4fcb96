/** `sluice completions`: what a shell needs to complete commands, options and their values. */

import { type Command, type Options, readArguments, UsageError } from './command.ts'
import { write } from './io.ts'

const HELP = `Usage: sluice completions bash|zsh|fish

Writes completions for a shell.

Examples:
  bash: sluice completions bash > ~/.local/share/bash-completion/completions/sluice
  zsh:  sluice completions zsh > "\${fpath[1]}/_sluice"
  fish: sluice completions fish > ~/.config/fish/completions/sluice.fish
`

interface Completed {
  readonly name: string
  readonly summary: string
  readonly options: readonly { readonly name: string; readonly takesValue: boolean; readonly words: string }[]
}

export const completions: Command = {
  help: HELP,
  async run(args, io) {
    const { file: shell } = readArguments(args, {}, true)
    const scriptOf = shell === undefined ? undefined : SHELLS[shell]
    if (scriptOf === undefined) {
      const problem =
        shell === undefined ? 'The name of a shell is missing' : `There are no completions for '${shell}'`
      throw new UsageError(`${problem}; use one of ${Object.keys(SHELLS).join(', ')}.`)
    }
    await write(io.stdout, scriptOf(await commands()))
    return 0
  },
}

async function commands(): Promise<Completed[]> {
  const { COMMANDS } = await import('./commands.ts')
  const values = await valuesOfOptions()
  return Promise.all(
    COMMANDS.map(async ({ name, summary, load }) => {
      const { options = {} } = await load()
      return { name, summary, options: completed(options, values) }
    }),
  )
}

function completed(options: Options, values: Readonly<Record<string, string>>): Completed['options'] {
  const own = Object.entries(options).map(([name, { type }]) => ({
    name,
    takesValue: type === 'string',
    words: type === 'string' ? (values[name] ?? '') : '',
  }))
  return [...own, { name: 'help', takesValue: false, words: '' }]
}

/** The words that an option takes; options that take a file have none. */
async function valuesOfOptions(): Promise<Readonly<Record<string, string>>> {
  const [{ allDialects }, { PROVIDER_NAMES, WRITER_NAMES }] = await Promise.all([
    import('./all-dialects.ts'),
    import('./providers.ts'),
  ])
  const dialects = (await allDialects()).map(({ name }) => name)
  return {
    dialect: ['auto', ...dialects].join(' '),
    provider: ['auto', ...PROVIDER_NAMES].join(' '),
    from: ['auto', ...PROVIDER_NAMES].join(' '),
    to: WRITER_NAMES.join(' '),
    start: 'text reasoning',
    malformed: 'keep text drop',
    thinking: 'on off',
    speed: '0 0.5 1 2 4 8',
    lines: 'all 10 20 50',
  }
}

type WriteCompletions = (commands: readonly Completed[]) => string

const SHELLS: Readonly<Record<string, WriteCompletions>> = { bash, zsh, fish }

function bash(commands: readonly Completed[]): string {
  const options = commands
    .map(({ name, options }) => `    ${name}) words="${options.map((one) => `--${one.name}`).join(' ')}" ;;`)
    .join('\n')
  const values = uniqueValues(commands)
    .map(([name, words]) => `    --${name}) COMPREPLY=($(compgen -W "${words}" -- "$current")); return ;;`)
    .join('\n')
  return `# Completions of sluice for bash.
_sluice() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} help --help --version" -- "$current"))
    return
  fi
  case "$previous" in
${values}
    help) COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$current")); return ;;
    completions) COMPREPLY=($(compgen -W "${Object.keys(SHELLS).join(' ')}" -- "$current")); return ;;
  esac
  case "\${COMP_WORDS[1]}" in
${options}
  esac
  case "$current" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$current")) ;;
    *) COMPREPLY=($(compgen -f -- "$current")) ;;
  esac
}
complete -o filenames -F _sluice sluice
`
}

function zsh(commands: readonly Completed[]): string {
  const names = commands.map(({ name, summary }) => `    '${name}:${quoted(summary)}'`).join('\n')
  const cases = commands
    .map(({ name, options }) => {
      const words = options.map(
        (one) =>
          `'--${one.name}${one.takesValue ? `:${one.name}:${one.words === '' ? '_files' : `(${one.words})`}` : ''}'`,
      )
      const rest = name === 'completions' ? `'1:shell:(${Object.keys(SHELLS).join(' ')})'` : "'*:file:_files'"
      return `    ${name}) _arguments ${[...words, rest].join(' ')} ;;`
    })
    .join('\n')
  return `#compdef sluice
# Completions of sluice for zsh.
_sluice() {
  local -a commands
  commands=(
${names}
  )
  if (( CURRENT == 2 )); then
    _describe 'command' commands
    return
  fi
  local command="$words[2]"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases}
  esac
}
_sluice "$@"
`
}

function fish(commands: readonly Completed[]): string {
  const lines = ['# Completions of sluice for fish.', 'complete -c sluice -n __fish_use_subcommand -f']
  for (const { name, summary } of commands)
    lines.push(`complete -c sluice -n __fish_use_subcommand -a ${name} -d '${quoted(summary)}'`)
  for (const { name, options } of commands)
    for (const one of options) {
      const value = one.takesValue ? (one.words === '' ? ' -r' : ` -x -a '${one.words}'`) : ''
      lines.push(`complete -c sluice -n '__fish_seen_subcommand_from ${name}' -l ${one.name}${value}`)
    }
  lines.push(
    `complete -c sluice -n '__fish_seen_subcommand_from completions' -f -a '${Object.keys(SHELLS).join(' ')}'`,
  )
  return `${lines.join('\n')}\n`
}

function uniqueValues(commands: readonly Completed[]): [string, string][] {
  const found = new Map<string, string>()
  for (const { options } of commands)
    for (const { name, words } of options) if (words !== '') found.set(name, words)
  return [...found]
}

const quoted = (text: string): string => text.replaceAll("'", "'\\''")
