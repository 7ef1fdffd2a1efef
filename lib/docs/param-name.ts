import { type Endpoint, listEndpoints } from './endpoints'
import { listKeys } from '../operations/schema-keys'

/** Names outside of any schema that an error may contain as `param`. */
const FIELDS_OUTSIDE_SCHEMAS = new Set(['file', 'files', 'options', 'data', 'logo', 'url', 'html', 'Idempotency-Key'])

/**
 * Returns the part of a `param` that our schemas define, such as `options.fields` of `options.fields["Date of birth"]`.
 * Null if there is none. Names from a client or its document aren't stored.
 */
export function keepKnownParam(operationId: string, param: string | undefined): string | null {
  const endpoint = endpointOf(operationId)
  if (param === undefined || endpoint === undefined) return null
  const [first = '', ...rest] = splitParam(param)
  const isOptions = first === endpoint.optionsKey
  if (!isOptions && !FIELDS_OUTSIDE_SCHEMAS.has(first) && !isKnown(endpoint, [], first)) return null
  let knownParam = first
  const path: PropertyKey[] = isOptions ? [] : [first]
  for (const key of rest) {
    const isIndex = /^\d{1,6}$/.test(key)
    if (!isIndex && !isKnown(endpoint, path, key)) return knownParam
    knownParam += isIndex ? `[${key}]` : `.${key}`
    path.push(isIndex ? Number(key) : key)
  }
  return knownParam
}

/** Splits `options.areas[0].x`. A quoted part ends the result, because quoted names are never ours. */
function splitParam(param: string): string[] {
  const parts: string[] = []
  for (const { groups } of param
    .slice(0, 300)
    .matchAll(/(?<start>^[^.[]+)|\.(?<word>[^.[]+)|\[(?<index>\d+)\]|(?<foreign>\[)/g)) {
    const part = groups?.['start'] ?? groups?.['word'] ?? groups?.['index']
    if (part === undefined) break
    parts.push(part)
  }
  return parts
}

function isKnown({ schema, formSchema, optionsKey }: Endpoint, path: PropertyKey[], key: string): boolean {
  if (listKeys(schema, path).includes(key)) return true
  return optionsKey === undefined && formSchema !== undefined && listKeys(formSchema, path).includes(key)
}

let endpointsById: Map<string, Endpoint> | undefined

function endpointOf(operationId: string): Endpoint | undefined {
  endpointsById ??= new Map(listEndpoints().map(endpoint => [endpoint.operation.id, endpoint]))
  return endpointsById.get(operationId)
}
