// Writes table.json from the tables of the Arlington PDF Model (PDF Association, Apache License 2.0), which list the keys
// of every object of ISO 32000-2: node engines/pdf/object-model/compile.mjs FOLDER_WITH_TSV_FILES
// Each type is one text, so that a process that doesn't need it only loads a string.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const [folder] = process.argv.slice(2)
if (!folder) throw new Error('Give the folder with the TSV files of the Arlington PDF Model.')

const types = {}
for (const file of readdirSync(folder).toSorted()) {
  if (!file.endsWith('.tsv')) continue
  const [head, ...rows] = readFileSync(join(folder, file), 'utf8').trimEnd().split(/\r?\n/)
  const columns = head.split('\t')
  types[file.slice(0, -'.tsv'.length)] = rows
    .map(row => {
      const cells = row.split('\t')
      const cell = name => cells[columns.indexOf(name)] ?? ''
      const kinds = split(cell('Type'), ';').map(plain)
      const links = split(cell('Link'), ';').map(listOf)
      const values = split(cell('PossibleValues'), ';').map(listOf)
      const targets = kinds.map((_, at) => links[at] ?? [])
      const allowed = kinds.flatMap((kind, at) => (kind === 'name' || kind === 'integer' ? (values[at] ?? []) : []))
      return [
        cell('Key'),
        kinds.map((kind, at) => (targets[at].length > 0 ? `${kind}:${targets[at].join(',')}` : kind)).join(';'),
        // Only plain values can be compared.
        allowed.length > 0 && allowed.every(value => /^[\w.+-]+$/.test(value)) ? allowed.join(',') : '',
        cell('Required') === 'TRUE' ? 'required' : '',
      ]
        .join(' ')
        .trimEnd()
    })
    .join('\n')
}
const path = join(fileURLToPath(import.meta.url), '../table.json')
writeFileSync(path, `${JSON.stringify(types, null, 2)}\n`)

/** Splits at a separator outside brackets. */
function split(text, separator) {
  const parts = []
  let [depth, start] = [0, 0]
  for (let at = 0; at < text.length; at++) {
    if ('[('.includes(text[at])) depth++
    else if ('])'.includes(text[at])) depth--
    else if (text[at] === separator && depth === 0) {
      parts.push(text.slice(start, at))
      start = at + 1
    }
  }
  return text === '' ? [] : [...parts, text.slice(start)]
}

/** The items of a list such as `[A,fn:SinceVersion(1.5,B)]`. */
function listOf(text) {
  return split(text.replace(/^\[|\]$/g, ''), ',').map(plain)
}

/** The value in a condition such as `fn:SinceVersion(1.5,stream)`: its last argument. */
function plain(text) {
  const inner = /^fn:(?:SinceVersion|Deprecated|BeforeVersion|IsPDFVersion|Extension)\((.*)\)$/.exec(text)?.[1]
  return inner === undefined ? text : plain(split(inner, ',').at(-1))
}
