import type { RenamedFields, Suffix } from './renamed-fields'
import { readScript, readScriptString } from './script-tokens'
import type { ScriptToken } from './script-tokens'

/** New names that the scripts of a file follow. */
export interface ScriptNames {
  fields: RenamedFields
  /** What is put behind the names of functions and variables that all scripts share. */
  globals: ReadonlyMap<string, string>
}

/** Functions that take the names of several fields in one string, with commas between them. */
const TAKE_LISTS = new Set(['AFSimple_Calculate', 'AFMakeArrayFromList'])

/** Functions that take a script in a string. */
const TAKE_SCRIPTS = new Set(['setTimeOut', 'setInterval', 'eval'])

/** Scripts in strings inside of one another that are read. */
const MAX_DEPTH = 3

/** Longer scripts stay as they are. */
const MAX_LENGTH = 1_000_000

/**
 * Where a script changes to follow new names, in order. A field counts as named by a string that equals its full name
 * or has it before a dot.
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
      const isMember = last?.source === '.' && !(before?.source === 'this' && following?.source === '(')
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

/** The names of functions and variables that a script declares for all scripts of its document. */
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

/** Objects that readers give to scripts. */
const HOST_OBJECTS = ['app', 'color', 'console', 'event', 'global', 'util']

function isDeclarator(token: ScriptToken | undefined): boolean {
  return token?.kind === 'word' && ['var', 'let', 'const'].includes(token.source)
}

/** Whether a function that follows is declared there, and not the value of an expression. */
function startsStatement(last: ScriptToken | undefined): boolean {
  return last?.kind !== 'other' || ';)}'.includes(last.source)
}

/** A token with those around it. */
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
