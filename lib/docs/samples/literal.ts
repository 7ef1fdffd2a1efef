/** The syntax of a language for JSON values. */
export interface LiteralStyle {
  words: { true: string; false: string; null: string }
  text(text: string): string
  list: { open: string; close: string }
  /** Depends on the keys if a language treats some of them differently. */
  map(keys: string[]): { open: string; close: string; empty?: string }
  entry(key: string, value: string): string
  indent: string
  /** Whether `{ a: 1 }` has spaces inside its braces. */
  isRoomy?: boolean
}

/** Source code in place of a value. */
export class Code {
  constructor(readonly code: string) {}
}

const WIDTH = 88

/**
 * Returns a JSON value in a language's syntax: on one line if it is short, otherwise on several lines that begin with
 * `indent`.
 */
export function writeLiteral(value: unknown, style: LiteralStyle, indent = ''): string {
  const short = writeShort(value, style)
  if (indent.length + short.length <= WIDTH || !isHolder(value)) return short
  const deeper = indent + style.indent
  const { open, close } = Array.isArray(value) ? style.list : style.map(Object.keys(value))
  const entries = Array.isArray(value)
    ? value.map(item => writeLiteral(item, style, deeper))
    : Object.entries(value).map(([key, item]) => style.entry(key, writeLiteral(item, style, deeper)))
  return `${open}\n${entries.map(entry => `${deeper}${entry},\n`).join('')}${indent}${close}`
}

function writeShort(value: unknown, style: LiteralStyle): string {
  if (value instanceof Code) return value.code
  if (typeof value === 'string') return style.text(value)
  if (value === null || typeof value === 'boolean') return style.words[`${value}`]
  if (!isHolder(value)) return JSON.stringify(value)
  if (Array.isArray(value))
    return `${style.list.open}${value.map(item => writeShort(item, style)).join(', ')}${style.list.close}`
  const { open, close, empty } = style.map(Object.keys(value))
  const entries = Object.entries(value).map(([key, item]) => style.entry(key, writeShort(item, style)))
  const room = style.isRoomy ? ' ' : ''
  return entries.length === 0 ? (empty ?? `${open}${close}`) : `${open}${room}${entries.join(', ')}${room}${close}`
}

function isHolder(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !(value instanceof Code)
}
