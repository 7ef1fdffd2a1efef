import { isJsonObject, type Json } from '../form/field-shapes'
import type { TextQuery } from '../preview/pdf-messages'

/** Returns what the preview can find of a rule of `search`. Undefined for presets, expressions and page selections. */
export function queryOf(rule: Json): TextQuery | undefined {
  if (!isJsonObject(rule)) return undefined
  const { text, pages, caseSensitive, wholeWord } = rule
  if (typeof text !== 'string' || text.trim() === '' || pages !== undefined) return undefined
  return { words: text, isCaseSensitive: caseSensitive === true, isWholeWord: wholeWord === true }
}

/** Names a rule, such as `“Jane Doe”` or `Preset iban`. */
export function describeRule(rule: Json): string {
  if (!isJsonObject(rule)) return 'Rule'
  const { text, regex, preset } = rule
  if (typeof text === 'string') return `“${text}”`
  if (typeof regex === 'string') return `Expression ${regex}`
  return typeof preset === 'string' ? `Preset ${preset}` : 'Rule'
}
