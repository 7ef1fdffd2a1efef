import { JSON_LIMITS } from './body'

/** Maximum length of JSON text in a form field that isn't JSON by its declaration. */
export const MAX_SHORT_JSON = 65_536

/** Parses short JSON text. Undefined if the text isn't JSON, or is longer or deeper than allowed. */
export function parseShortJson(text: string): unknown {
  if (text.length > MAX_SHORT_JSON) return undefined
  try {
    const value = JSON.parse(text) as unknown
    return isWithinDepth(value, JSON_LIMITS.maxDepth) ? value : undefined
  } catch {
    return undefined
  }
}

function isWithinDepth(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true
  return levels > 0 && Object.values(value).every(member => isWithinDepth(member, levels - 1))
}
