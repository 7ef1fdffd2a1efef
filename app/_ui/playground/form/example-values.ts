import { isJsonObject, type Json, type JsonObject } from './field-shapes'

/**
 * Returns the options without the values of an example, which belong to its sample file. Values that the visitor
 * changed stay.
 */
export function withoutExample(options: JsonObject, example: JsonObject): JsonObject {
  const kept = Object.entries(options).flatMap(([name, value]): [string, Json][] => {
    const other = example[name]
    if (JSON.stringify(value) === JSON.stringify(other)) return []
    if (!isJsonObject(value) || !isJsonObject(other)) return [[name, value]]
    const changed = withoutExample(value, other)
    return Object.keys(changed).length === 0 ? [] : [[name, changed]]
  })
  return Object.fromEntries(kept)
}
