import type * as z from 'zod'
import { MAX_SHORT_JSON, parseShortJson } from '../body/short-json'

/** Longer texts aren't numbers. */
const MAX_NUMBER_LENGTH = 100
const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i

/**
 * Converts the text of form fields to the types of a schema: numbers, booleans, and objects and arrays from JSON. An
 * array of one element may be the element alone. A text stays unchanged if the schema accepts it, or if it represents
 * no value that the schema accepts. The validation then refuses it as sent.
 */
export function readFormValues(fields: Record<string, unknown>, schema: z.ZodObject): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, value]) => {
    // The members of a shape are schemas.
    const field = Object.hasOwn(schema.shape, name) ? (schema.shape[name] as z.ZodType) : undefined
    if (Array.isArray(value)) return [name, isShortList(value) ? value.map(readElement) : value]
    return [name, field && typeof value === 'string' ? readValue(value, field) : value]
  })
  return Object.fromEntries(entries) as Record<string, unknown>
}

function readValue(text: string, field: z.ZodType): unknown {
  if (text.length > MAX_SHORT_JSON || field.safeParse(text).success) return text
  const value = readLiteral(text.trim())
  if (value !== undefined && field.safeParse(value).success) return value
  const list = [value ?? text]
  if (field.safeParse(list).success) return list
  return typeof value === 'object' && value !== null ? value : readScalar(text.trim(), value, field)
}

/** The elements of a repeated form field together have the same limit as the text of a single one. */
function isShortList(elements: unknown[]): boolean {
  const lengths = elements.map(element => (typeof element === 'string' ? element.length : 0))
  return lengths.reduce((sum, length) => sum + length, 0) <= MAX_SHORT_JSON
}

/** An element of a repeated form field. */
function readElement(value: unknown): unknown {
  return typeof value === 'string' ? (readLiteral(value.trim()) ?? value) : value
}

/** A number out of bounds is refused as a number, not as a text. */
function readScalar(text: string, value: unknown, field: z.ZodType): unknown {
  const isText = field.safeParse('').error?.issues.every(({ code }) => code !== 'invalid_type') ?? true
  return value === undefined || isText ? text : value
}

function readLiteral(text: string): unknown {
  if (text.length <= MAX_NUMBER_LENGTH && NUMBER.test(text)) return Number(text)
  // A text that only starts like JSON stays a text.
  return /^([[{]|true$|false$|null$)/.test(text) ? parseShortJson(text) : undefined
}
