import type * as z from 'zod'
import { isSecret } from './schema-keys'

/** Longer texts, such as HTML, aren't repeated in a receipt. */
const MAX_TEXT = 1000

/**
 * Returns the options of a step as a receipt shows them. Passwords, the contents of files, long texts, queries of URLs,
 * and the options in `hides` are left out, with a note in their place.
 */
export function showOptions(schema: z.ZodObject | undefined, options: object, hides: readonly string[] = []): unknown {
  const show = (value: unknown, path: readonly PropertyKey[]): unknown => {
    if (hides.includes(String(path[0])) || (schema && path.length > 0 && isSecret(schema, path))) return '(not shown)'
    if (typeof value === 'string') return showText(value)
    if (typeof value !== 'object' || value === null) return value
    if (Array.isArray(value)) return value.map((element, index) => show(element, [...path, index]))
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        key,
        key === 'dataBase64' ? '(not shown)' : show(member, [...path, key]),
      ]),
    )
  }
  return show(options, [])
}

function showText(text: string): string {
  if (text.length > MAX_TEXT) return `(${text.length} characters)`
  if (!/^https?:/i.test(text) || !URL.canParse(text)) return text
  const { origin, pathname, search, hash } = new URL(text) // Without a user name and a password.
  return `${origin}${pathname}${search || hash ? '?(not shown)' : ''}`
}
