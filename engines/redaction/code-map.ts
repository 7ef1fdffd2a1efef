import { keyOfCode } from './removed-codes'

/** Rows of one block (Adobe Technical Note 5014). */
const MOST_ROWS = 100

/** Where a block begins and where it ends. */
const EDGE = /(begin|end)(bfchar|bfrange)\b/g
const COMMENT = /%[^\r\n]*/g
const TOKEN = /<[0-9a-fA-F\s]*>|\[[^\]]*\]/g

/** Where the number of rows may stand before a block. */
const BEFORE = 20

/** A ToUnicode CMap (ISO 32000-2, 9.10.3) without what it says of these codes (as `keyOfCode` has them); undefined where it says nothing of them. */
export function forgetInMap(map: string, codes: ReadonlySet<number>): string | undefined {
  const gone = { has: (key: number) => codes.has(key), sorted: [...codes].sort((one, other) => one - other) }
  const parts: string[] = []
  let at = 0
  let begin = { kind: '', start: 0, body: 0 }
  for (const { 0: mark, 1: edge, 2: kind = '', index } of map.matchAll(EDGE)) {
    const block = begin
    begin = { kind: edge === 'begin' ? kind : '', start: index, body: index + mark.length }
    if (edge === 'begin' || block.kind !== kind) continue
    const tokens = map.slice(block.body, index).replace(COMMENT, '').match(TOKEN) ?? []
    const rows = kind === 'bfchar' ? listSingles(tokens, gone) : listRanges(tokens, gone)
    if (!rows) continue
    const count = /\d+\s*$/.exec(map.slice(Math.max(at, block.start - BEFORE), block.start))?.[0] ?? ''
    parts.push(map.slice(at, block.start - count.length), writeBlocks(kind, rows))
    at = index + mark.length
  }
  return parts.length === 0 ? undefined : [...parts, map.slice(at)].join('')
}

interface Gone {
  has(key: number): boolean
  sorted: readonly number[]
}

/** The rows that stay; undefined when all do. */
function listSingles(tokens: readonly string[], gone: Gone): string[] | undefined {
  const rows: string[] = []
  let count = 0
  for (let at = 0; at + 1 < tokens.length; at += 2, count++) {
    const [code, text] = [tokens[at] as string, tokens[at + 1] as string]
    if (!gone.has(keyOf(code))) rows.push(`${code} ${text}`)
  }
  return rows.length === count ? undefined : rows
}

/** The same for ranges, which are taken apart around the codes that go. */
function listRanges(tokens: readonly string[], gone: Gone): string[] | undefined {
  const rows: string[] = []
  let isCut = false
  for (let at = 0; at + 2 < tokens.length; at += 3) {
    const [first, last, text] = [tokens[at] as string, tokens[at + 1] as string, tokens[at + 2] as string]
    const [low, high] = [keyOf(first), keyOf(last)]
    const holes = listBetween(gone.sorted, low, high)
    if (holes.length === 0) {
      rows.push(`${first} ${last} ${text}`)
      continue
    }
    isCut = true
    const digits = digitsOf(first).length
    let start = low
    for (const hole of [...holes, high + 1]) {
      if (hole > start) rows.push(`${codeAt(start, digits)} ${codeAt(hole - 1, digits)} ${textFrom(text, start - low, hole - start)}`)
      start = hole + 1
    }
  }
  return isCut ? rows : undefined
}

/** The numbers of a rising list from one to another. */
function listBetween(sorted: readonly number[], low: number, high: number): number[] {
  let [start, end] = [0, sorted.length]
  while (start < end) {
    const middle = (start + end) >> 1
    if ((sorted[middle] as number) < low) start = middle + 1
    else end = middle
  }
  while (end < sorted.length && (sorted[end] as number) <= high) end++
  return sorted.slice(start, end)
}

function digitsOf(token: string): string {
  return token.replace(/[<>\s]/g, '')
}

function keyOf(token: string): number {
  const digits = digitsOf(token)
  return keyOfCode(Number.parseInt(digits, 16), Math.ceil(digits.length / 2))
}

function codeAt(key: number, digits: number): string {
  return `<${(key % 2 ** 32).toString(16).padStart(digits, '0')}>`
}

/** What a range stands for from one of its codes on: a list, or a first text whose last unit counts up. */
function textFrom(text: string, skipped: number, count: number): string {
  if (text.startsWith('[')) return `[${(text.match(/<[0-9a-fA-F\s]*>/g) ?? []).slice(skipped, skipped + count).join(' ')}]`
  const digits = digitsOf(text)
  const unit = digits.slice(-4)
  return `<${digits.slice(0, -4)}${((Number.parseInt(unit, 16) + skipped) % 16 ** unit.length).toString(16).padStart(unit.length, '0')}>`
}

function writeBlocks(kind: string, rows: readonly string[]): string {
  const blocks: string[] = []
  for (let at = 0; at < rows.length; at += MOST_ROWS) {
    const block = rows.slice(at, at + MOST_ROWS)
    blocks.push([`${block.length} begin${kind}`, ...block, `end${kind}`].join('\n'))
  }
  return blocks.join('\n')
}
