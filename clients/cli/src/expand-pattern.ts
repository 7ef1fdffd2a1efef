import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Expands `*` and `?` in the last part of a path, in the order of the names. Hidden files need a dot. */
export function expandPattern(pattern: string): string[] {
  const folder = dirname(pattern)
  const name = pattern.slice(pattern.lastIndexOf('/') + 1)
  const expression = new RegExp(
    `^${name
      .replace(/[.+^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
    'u',
  )
  return listFolder(folder)
    .filter(entry => expression.test(entry) && (name.startsWith('.') || !entry.startsWith('.')))
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))
    .map(entry => (pattern.startsWith('./') || folder !== '.' ? join(folder, entry) : entry))
}

function listFolder(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}
