import { runType1 } from './charstrings'
import type { FontProgram } from './font-program'

const EEXEC_KEY = 55665
const CHARSTRING_KEY = 4330

/** Reads a Type 1 program (Adobe Type 1 Font Format). Its encrypted part is binary or hexadecimal. */
export function readType1(file: Buffer): FontProgram {
  const data = withoutSegments(file)
  const start = data.indexOf('eexec') + 5
  const clear = data.toString('latin1', 0, start)
  let at = start
  while ([9, 10, 13, 32].includes(data[at] ?? 0)) at++
  const body = data.subarray(at)
  const isHex = /^[0-9A-Fa-f\s]{8}/.test(body.toString('latin1', 0, 8))
  const secret = decrypt(
    isHex ? Buffer.from(body.toString('latin1').replace(/[^0-9A-Fa-f]/g, ''), 'hex') : body,
    EEXEC_KEY,
  ).subarray(4)
  const text = secret.toString('latin1')
  const skip = Number(/\/lenIV\s+(-?\d+)/.exec(text)?.[1] ?? 4)
  const read = (from: number, length: number): Buffer =>
    skip < 0
      ? secret.subarray(from, from + length)
      : decrypt(secret.subarray(from, from + length), CHARSTRING_KEY).subarray(skip)
  const subroutines: Buffer[] = []
  const glyphs: { name: string; code: Buffer }[] = []
  const entry = /(?:dup\s+(\d+)|\/([^\s/[\](){}<>%]+))\s+(\d+)\s+(?:RD|-\||\S+)\s/g
  entry.lastIndex = Math.max(0, text.search(/\/(?:Subrs|CharStrings)\s/))
  for (let match = entry.exec(text); match; match = entry.exec(text)) {
    const { 0: whole, 1: number, 2: name, 3: length } = match
    if (name === 'Subrs' || name === 'CharStrings' || /\b(?:array|dict|def)\s$/.test(whole)) continue
    const code = read(entry.lastIndex, Number(length))
    if (number !== undefined) subroutines[Number(number)] = code
    else glyphs.push({ name: name ?? '', code })
    entry.lastIndex += Number(length)
  }
  const drawn = glyphs.map(({ code }) => runType1(code, subroutines))
  const names = glyphs.map(({ name }) => name)
  const encoding = new Map<number, number>()
  for (const { 1: code, 2: name } of clear.matchAll(/dup\s+(\d+)\s*\/(\S+)\s+put/g))
    if (names.includes(name ?? '')) encoding.set(Number(code), names.indexOf(name ?? ''))
  return {
    unitsPerEm: 1000,
    outlines: drawn.map(({ outline }) => outline),
    parts: [],
    advances: drawn.map(({ advance = 0 }) => advance),
    names,
    cmaps: new Map([['built-in', encoding]]),
  }
}

/** A PFB file without its segment headers. Other files stay unchanged. */
function withoutSegments(file: Buffer): Buffer {
  if (file[0] !== 0x80) return file
  const parts: Buffer[] = []
  for (let at = 0; file[at] === 0x80 && file[at + 1] !== 3;) {
    const length = file.readUInt32LE(at + 2)
    parts.push(file.subarray(at + 6, at + 6 + length))
    at += 6 + length
  }
  return Buffer.concat(parts)
}

function decrypt(data: Buffer, key: number): Buffer {
  let state = key
  const out = Buffer.alloc(data.length)
  for (const [index, cipher] of data.entries()) {
    out[index] = cipher ^ (state >> 8)
    state = ((cipher + state) * 52845 + 22719) & 0xffff
  }
  return out
}
