import { findNearestName } from '../../engines/options/nearest-name'
import type { McpTool } from './mcp-tool'

/**
 * Returns an error about the arguments of a tool, for the agent. Undefined if they fit. The API checks the options and
 * the members of files.
 */
export function findArgumentError(
  { inputSchema: { properties, required } }: Pick<McpTool, 'inputSchema'>,
  given: Record<string, unknown>,
): string | undefined {
  const names = Object.keys(properties)
  const unknown = Object.keys(given).find(name => !names.includes(name))
  if (unknown !== undefined) {
    const known = `The arguments are ${names.join(', ')}.`
    if (Object.hasOwn(properties['options']?.properties ?? {}, unknown))
      return `unknown argument "${unknown}". Send it in options. ${known}`
    const nearest = findNearestName(unknown, names)
    return `unknown argument "${unknown}". ${nearest === undefined ? '' : `Did you mean "${nearest}"? `}${known}`
  }
  const missing = required.find(name => given[name] === undefined)
  if (missing !== undefined) return `${missing} is required.`
  for (const name of names) {
    const type = String(properties[name]?.type)
    if (given[name] !== undefined && typeOf(given[name]) !== type)
      return `${name} must be ${ARTICLES[type] ?? type}. Got ${ARTICLES[typeOf(given[name])] ?? typeOf(given[name])}.`
  }
  const paths = given['files'] as unknown[] | undefined // It is a list if it is given.
  const itemType = String((properties['files']?.items as { type?: string } | undefined)?.type)
  const index = paths?.findIndex(path => typeOf(path) !== itemType) ?? -1
  if (index >= 0) return `files[${index}] must be ${ARTICLES[itemType]}. Got ${ARTICLES[typeOf(paths?.[index])]}.`
  return undefined
}

const ARTICLES: Readonly<Record<string, string>> = {
  array: 'a list',
  boolean: 'true or false',
  number: 'a number',
  object: 'an object',
  string: 'a text',
}

/** The type in JSON Schema. */
function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}
