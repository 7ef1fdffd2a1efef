import { STAGES } from './stages.mjs'

const SCOPES = { '--fast': 'fast', '--rest': 'rest', '--all': 'all' }

/** Reads the command line: at most one scope, names of stages, and `--until` with seconds. */
export function readArguments(args) {
  const at = args.indexOf('--until')
  const seconds = at === -1 ? Infinity : Number(args[at + 1])
  if (Number.isNaN(seconds)) throw new Error(`--until must be followed by a number of seconds. Got ${args[at + 1]}.`)
  const words = args.filter((_, index) => at === -1 || (index !== at && index !== at + 1))
  const scopes = words.filter(word => Object.hasOwn(SCOPES, word)).map(word => SCOPES[word])
  if (scopes.length > 1) throw new Error('only one of --fast, --rest and --all is possible')
  const names = words.filter(word => !Object.hasOwn(SCOPES, word))
  return { scope: scopes[0] ?? (names.length > 0 ? 'all' : 'core'), untilMs: seconds * 1000, names }
}

/** The stages of a scope, or the named ones. */
export function chooseStages(scope, names) {
  const unknown = names.filter(name => !STAGES.some(stage => stage.name === name))
  if (unknown.length)
    throw new Error(`no stage ${unknown.join(', ')}; there are ${STAGES.map(stage => stage.name).join(', ')}`)
  if (names.length > 0) return STAGES.filter(stage => names.includes(stage.name))
  return STAGES.filter(({ scopes }) => scopes.includes(scope))
}
