import table from '../../../engines/pdf/object-model/table.json' with { type: 'json' }
import type { PdfWriter } from '../../fixtures/pdf-writer'
import { makeTrap } from '../../fixtures/traps'

/** What is hidden under a key. The page shows the same text. */
export type Hidden = 'string' | 'name' | 'number' | 'stream' | 'dictionary' | 'array'

/** A key of an object of PDF 2.0, under which a file hides the secret. */
export interface ModelTrap {
  name: string
  make(secret: string): Buffer
}

type Row = readonly [key: string, kinds: string, values: string, required: string]

const types: Readonly<Record<string, readonly Row[]>> = Object.fromEntries(
  Object.entries(table).map(([name, text]) => [name, text.split('\n').map(readRow)]),
)

function readRow(line: string): Row {
  const [key = '', kinds = '', values = '', required = ''] = line.split(' ')
  return [key, kinds, values, required]
}

/** A way to an object: the type that refers to it, the key there, and how. */
interface Step {
  owner: string
  key: string
  kind: string
}

/** Objects that the page of each file has already. The others are found from these. */
const ROOTS = ['Catalog', 'PageObject', 'Resource', 'DocInfo']

/** Keys of the page and its tree, without which no reader opens the file. */
const FIXED = new Set(['Catalog.Pages', 'PageObject.Parent', 'PageObject.Contents', 'PageObject.Resources'])

/** Keys whose values decide what the file is, so that another value makes another file. */
const NEEDED = new Set(['Type', 'Length', 'MediaBox', 'Kids', 'Parent', 'Pages', 'Contents'])

const STRINGS = new Set(['string', 'string-text', 'string-ascii', 'string-byte', 'date'])
const NUMBERS = new Set(['integer', 'number', 'bitmask'])

/** Returns a trap for each key of each object that a file can have, and for keys that the standard doesn't know. */
export function listModelTraps(): ModelTrap[] {
  const ways = findWays()
  return [...ways.keys()].flatMap(type => {
    const traps: ModelTrap[] = []
    const add = (key: string, hidden: Hidden): void => {
      traps.push({
        name: `${type} ${key} as a ${hidden}`,
        make: secret => makeFile(ways, { type, key, hidden }, secret),
      })
    }
    for (const [key, kinds, values] of types[type] ?? []) {
      if (NEEDED.has(key) || FIXED.has(`${type}.${key}`)) continue
      const names = kinds.split(';').map(kind => kind.split(':')[0] as string)
      if (names.some(kind => STRINGS.has(kind))) add(key, 'string')
      if (names.includes('name') && values === '') add(key, 'name')
      if (names.some(kind => NUMBERS.has(kind)) && values === '') add(key, 'number')
    }
    if (!isArray(type))
      for (const hidden of ['string', 'name', 'number', 'stream', 'dictionary', 'array'] as const) add('XQ', hidden)
    if ((types[type] ?? []).some(([key]) => key === 'Length')) add('data', 'stream')
    return traps
  })
}

function isArray(type: string): boolean {
  return (types[type] ?? []).some(([key]) => /^\d/.test(key)) || /Array/.test(type)
}

/** The shortest way to each type that a file can have. */
function findWays(): Map<string, Step | undefined> {
  const ways = new Map<string, Step | undefined>(ROOTS.map(root => [root, undefined]))
  for (const [owner] of ways)
    for (const [key, kinds] of types[owner] ?? []) {
      if (FIXED.has(`${owner}.${key}`)) continue
      for (const part of kinds.split(';')) {
        const [kind = '', links = ''] = part.split(':')
        for (const type of links === '' ? [] : links.split(','))
          if (!ways.has(type) && !type.startsWith('Page')) ways.set(type, { owner, key, kind })
      }
    }
  return ways
}

interface Spot {
  type: string
  key: string
  hidden: Hidden
}

function makeFile(ways: ReadonlyMap<string, Step | undefined>, { type, key, hidden }: Spot, secret: string): Buffer {
  const compose = (pdf: PdfWriter, root: string): string => {
    let [current, text] = [type, '']
    let own = key === 'data' ? '' : entry(type, key, hide(pdf, hidden, secret))
    const data = key === 'data' ? secret : '0'
    for (let way = ways.get(current); ; way = ways.get(current)) {
      if (!way) return current === root ? own : ''
      text = writeObject(pdf, { type: current, kind: way.kind, entries: own, data: current === type ? data : '0' })
      const value =
        way.kind === 'name-tree'
          ? `<</Names[(a) ${text}]>>`
          : way.kind === 'number-tree'
            ? `<</Nums[0 ${text}]>>`
            : text
      own = entry(way.owner, way.key, value)
      current = way.owner
    }
  }
  return makeTrap({
    content: `BT /F 15 Tf 60 145 Td (${secret}) Tj ET`,
    catalog: pdf => compose(pdf, 'Catalog'),
    page: pdf => compose(pdf, 'PageObject'),
    resources: pdf => compose(pdf, 'Resource'),
    trailer: pdf => {
      const info = compose(pdf, 'DocInfo')
      return info === '' ? '' : `/Info ${pdf.add(`<<${info}>>`)} 0 R`
    },
  }).file
}

/** An entry of a dictionary, or the items of an array up to this key. */
function entry(type: string, key: string, value: string): string {
  if (!isArray(type)) return `/${key === '*' ? 'A1' : key} ${value}`
  const at = Number.parseInt(key, 10) || 0
  const items = Array.from({ length: at }, (_, index) => {
    const values = (types[type] ?? []).find(([own]) => own === String(index))?.[2] ?? ''
    return values === '' ? '0' : writeValue(values)
  })
  return [...items, value].join(' ')
}

function writeValue(values: string): string {
  const [first = ''] = values.split(',')
  return /^[\d.+-]+$/.test(first) ? first : `/${first}`
}

/** Writes an object with the values that tell its type, and returns its reference. */
function writeObject(
  pdf: PdfWriter,
  { type, kind, entries, data }: { type: string; kind: string; entries: string; data: string },
): string {
  if (kind === 'array' || isArray(type)) return `${pdf.add(`[${entries}]`)} 0 R`
  const marks = (types[type] ?? [])
    .filter(
      ([key, , values, required]) =>
        values !== '' && (required !== '' || key === 'Type') && !entries.includes(`/${key} `),
    )
    .map(([key, , values]) => `/${key} ${writeValue(values)}`)
    .join('')
  const isStream = kind === 'stream' || (types[type] ?? []).some(([key]) => key === 'Length')
  return `${isStream ? pdf.addStream(marks + entries, data) : pdf.add(`<<${marks}${entries}>>`)} 0 R`
}

function hide(pdf: PdfWriter, hidden: Hidden, secret: string): string {
  switch (hidden) {
    case 'name':
      return `/${secret}`
    case 'number':
      return secret
    case 'stream':
      return `${pdf.addStream('', `about ${secret}`)} 0 R`
    case 'dictionary':
      return `<</A(${secret})>>`
    case 'array':
      return `[(${secret})]`
    default:
      return `(${secret})`
  }
}

/** The secret that a trap needs: digits for numbers, else letters. */
export function secretFor({ name }: ModelTrap): string {
  return name.endsWith('number') ? '7283911445' : 'VEXHOLMQUIMB'
}
