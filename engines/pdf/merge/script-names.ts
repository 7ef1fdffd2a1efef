import type { RenamedFields, Suffix } from './renamed-fields'
import { readScript, readScriptString } from './script-tokens'
import type { ScriptToken } from './script-tokens'

/** Renamed fields and globals that the scripts of a file must follow. */
export interface ScriptNames {
  fields: RenamedFields
  /** Suffixes of functions and variables that all scripts of a document share, by name. */
  globals: ReadonlyMap<string, string>
}

/** Functions that take the names of several fields in one string, separated by commas. */
const TAKE_LISTS = new Set(['AFSimple_Calculate', 'AFMakeArrayFromList'])

/** Functions that take a script in a string. */
const TAKE_SCRIPTS = new Set(['setTimeOut', 'setInterval', 'eval'])

/** Operators before the name of a member. */
const MEMBER = new Set<string | undefined>(['.', '?.'])

/** Maximum nesting of scripts in strings. */
const MAX_DEPTH = 3

/** Longer scripts don't change. */
const MAX_LENGTH = 1_000_000

/**
 * Finds the places in a script that must change to the new names, in order. A string names a field if it equals the
 * field's full name, or if it begins with the full name and a period.
 */
export function findNames(script: string, names: ScriptNames, depth = 0): Suffix[] {
  if (script.length > MAX_LENGTH) return []
  const found: Suffix[] = []
  const calls: string[] = []
  const tokens = new Window(readScript(script))
  while (tokens.next()) {
    const { before, last, token, following } = tokens
    if (token.kind === 'other') {
      if ('([{'.includes(token.source)) calls.push(token.source === '(' && last?.kind === 'word' ? last.source : '')
      else if (')]}'.includes(token.source)) calls.pop()
    } else if (token.kind === 'word') {
      const text = names.globals.get(token.source)
      const isMember = MEMBER.has(last?.source) && !(before?.source === 'this' && following?.source === '(')
      const isKey = following?.source === ':' && (last?.source === '{' || last?.source === ',')
      if (text !== undefined && !isMember && !isKey) found.push({ at: token.start + token.source.length, text })
    } else if (token.kind === 'text') {
      const { value, ends } = readScriptString(token.source)
      for (const { at, text } of findInString(value, names, { call: calls.at(-1) ?? '', depth })) {
        found.push({ at: token.start + (ends[at - 1] ?? 0), text })
      }
    }
  }
  return found
}

function findInString(value: string, names: ScriptNames, { call, depth }: { call: string; depth: number }): Suffix[] {
  if (TAKE_SCRIPTS.has(call) && depth < MAX_DEPTH) return findNames(value, names, depth + 1)
  if (!TAKE_LISTS.has(call)) return [names.fields.find(value)].filter(suffix => suffix !== undefined)
  let start = 0
  return value.split(',').flatMap(item => {
    const at = start + item.length - item.trimStart().length
    start += item.length + 1
    const suffix = names.fields.find(item.trim())
    return suffix ? [{ at: at + suffix.at, text: suffix.text }] : []
  })
}

/** The names of functions and variables that a script declares globally, for all scripts of its document. */
export function findGlobals(script: string): Set<string> {
  const globals = new Set<string>()
  if (script.length > MAX_LENGTH) return globals
  const tokens = new Window(readScript(script))
  let depth = 0
  let isDeclaring = false
  while (tokens.next()) {
    const { last, token } = tokens
    if (token.kind === 'other' && '([{'.includes(token.source)) depth++
    else if (token.kind === 'other' && ')]}'.includes(token.source)) depth--
    if (depth !== 0) continue
    const isAfterValue = last?.kind !== 'other' || ')]}'.includes(last.source)
    const isNextLine = token.isOnNewLine && isAfterValue && !isDeclarator(last) && token.source !== ','
    if (token.source === ';' || isNextLine) isDeclaring = false
    if (token.kind !== 'word') continue
    if (isDeclarator(token)) isDeclaring = true
    else if (isDeclaring && (isDeclarator(last) || last?.source === ',')) globals.add(token.source)
    else if ((last?.source === 'function' || last?.source === 'class') && startsStatement(tokens.before)) {
      globals.add(token.source)
    }
  }
  for (const name of HOST_OBJECTS) globals.delete(name)
  return globals
}

/** Objects that readers provide to scripts. */
const HOST_OBJECTS = ['app', 'color', 'console', 'event', 'global', 'util']

function isDeclarator(token: ScriptToken | undefined): boolean {
  return token?.kind === 'word' && ['var', 'let', 'const'].includes(token.source)
}

/** Returns whether a function that follows `last` is a declaration and not an expression. */
function startsStatement(last: ScriptToken | undefined): boolean {
  return last?.kind !== 'other' || ';)}'.includes(last.source)
}

/** A token and its neighbors. */
class Window {
  before: ScriptToken | undefined
  last: ScriptToken | undefined
  token: ScriptToken = { kind: 'other', source: '', start: 0, isOnNewLine: false }
  following: ScriptToken | undefined
  private isStarted = false

  constructor(private readonly tokens: Generator<ScriptToken>) {}

  next(): boolean {
    if (!this.isStarted) this.following = this.read()
    if (!this.following) return false
    this.before = this.last
    this.last = this.isStarted ? this.token : undefined
    this.token = this.following
    this.following = this.read()
    this.isStarted = true
    return true
  }

  private read(): ScriptToken | undefined {
    const { value, done } = this.tokens.next()
    return done ? undefined : value
  }
}
