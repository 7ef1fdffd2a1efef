import type { Command } from 'commander'
import { UsageError } from './failure'

/** The shells with a completion script. */
export const SHELLS = ['bash', 'zsh', 'fish']

/** Returns a script that completes commands, flags and files. Throws a UsageError for another shell. */
export function writeCompletion(program: Command, shell: string): string {
  const commands = program.commands.map(command => ({
    name: command.name(),
    summary: (command.summary() || command.description()).replaceAll("'", '’').split('. ')[0] ?? '',
    flags: command.options.filter(({ hidden }) => !hidden).flatMap(({ long }) => long ?? []),
  }))
  switch (shell) {
    case 'bash':
      return `_sheaf() {
  local word="\${COMP_WORDS[COMP_CWORD]}" flags=""
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')}" -- "$word"))
    return
  fi
  case "\${COMP_WORDS[1]}" in
${commands.map(({ name, flags }) => `    ${name}) flags="${flags.join(' ')}" ;;`).join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$flags" -- "$word")) ;;
    *) COMPREPLY=($(compgen -f -- "$word")) ;;
  esac
}
complete -o filenames -F _sheaf sheaf
`
    case 'zsh':
      return `#compdef sheaf
_sheaf() {
  if (( CURRENT == 2 )); then
    local -a commands=(
${commands.map(({ name, summary }) => `      '${name}:${summary.replaceAll(':', '\\:')}'`).join('\n')}
    )
    _describe 'command' commands
    return
  fi
  case "$words[2]" in
${commands.map(({ name, flags }) => `    ${name}) compadd -- ${flags.join(' ')} ;;`).join('\n')}
  esac
  _files
}
compdef _sheaf sheaf
`
    case 'fish':
      return `${commands
        .flatMap(({ name, summary, flags }) => [
          `complete -c sheaf -n __fish_use_subcommand -a ${name} -d '${summary}'`,
          ...flags.map(flag => `complete -c sheaf -n '__fish_seen_subcommand_from ${name}' -l ${flag.slice(2)}`),
        ])
        .join('\n')}\n`
    default:
      throw new UsageError(`There is a completion for ${SHELLS.join(', ')}. Got "${shell}".`)
  }
}
