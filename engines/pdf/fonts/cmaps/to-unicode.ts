import type { PDFDict } from 'pdf-lib'
import { codeOfKey, keyOfCode } from '../../content/code-keys'
import { decodeUpToLimit } from '../../document/decode-content'
import type { PdfDocument } from '../../document/document'
import { readCMapLayers } from './cmap'
import { CodeRanges } from './code-ranges'
import { readPredefinedCMap } from './predefined-cmaps'
import * as Name from '../../syntax/names'

const LONGEST_CODE = 4

/** Maximum number of codes whose texts are listed to find the code of a text. */
const MOST_LISTED = 200_000

/** Ranges with more codes aren't listed. */
const NARROW = 256

/**
 * Reads the ToUnicode CMap of a font (ISO 32000-2, 9.10.3) and the CMaps that it refers to. Identity-H and Identity-V
 * mean that codes are UTF-16. Returns undefined if the font has no CMap, or if the CMap can't be decoded.
 */
export function readToUnicode(document: PdfDocument, font: PDFDict): ToUnicode | undefined {
  const { layers, base } = readCMapLayers(document, font.get(Name.ToUnicode), decodeUpToLimit)
  const texts = layers.map(layer => layer.texts)
  if (base?.startsWith('Identity')) texts.push(makeIdentity())
  else if (base !== undefined) texts.push(...listPredefinedTexts(base))
  return texts.length === 0 ? undefined : new ToUnicode(texts)
}

/** Opens a predefined CMap that maps glyphs to text, such as `Adobe-Japan1-UCS2`. Undefined for other names. */
export function openPredefinedTexts(name: string): ToUnicode | undefined {
  const texts = listPredefinedTexts(name)
  return texts.length === 0 ? undefined : new ToUnicode(texts)
}

function listPredefinedTexts(name: string): CodeRanges<string>[] {
  return (readPredefinedCMap(name) ?? []).map(layer => layer.texts).filter(({ size }) => size > 0)
}

function makeIdentity(): CodeRanges<string> {
  const ranges = new CodeRanges<string>()
  for (const [length, last] of [
    [1, 0xff],
    [2, 0xffff],
  ] as const)
    ranges.add(keyOfCode(0, length), keyOfCode(last, length), '\0')
  return ranges
}

/** The texts that the codes of a font stand for. */
export class ToUnicode {
  private keys: ReadonlyMap<string, number> | undefined

  /** Each table precedes the one that it is based on. */
  constructor(private readonly tables: readonly CodeRanges<string>[]) {}

  /**
   * Returns the text of a code by its key. The text is empty if the CMap maps the code to nothing, and undefined if it
   * doesn't map the code. Some CMaps have codes with a wrong number of bytes. Then the same code with another length
   * counts, as in readers.
   */
  textOf(key: number): string | undefined {
    const known = this.find(key)
    if (known !== undefined) return known
    const { code } = codeOfKey(key)
    for (let length = 1; length <= LONGEST_CODE; length++) {
      const text = code < 256 ** length ? this.find(keyOfCode(code, length)) : undefined
      if (text !== undefined) return text
    }
    return undefined
  }

  /** Lists the texts of codes, of wide ranges only the first. */
  *listTexts(): Generator<string> {
    for (const table of this.tables) for (let index = 0; index < table.size; index++) yield table.at(index).value
  }

  /** Returns the key of a code that stands for this text. Undefined if there is none. */
  keyOf(text: string): number | undefined {
    this.keys ??= this.listKeys()
    const known = this.keys.get(text)
    if (known !== undefined) return known
    for (const table of this.tables) {
      for (let index = 0; index < table.size; index++) {
        const { low, high, value } = table.at(index)
        if (high - low < NARROW) continue
        const key = low + text.charCodeAt(text.length - 1) - value.charCodeAt(value.length - 1)
        if (key >= low && key <= high && this.find(key) === text) return key
      }
    }
    return undefined
  }

  private listKeys(): Map<string, number> {
    const keys = new Map<string, number>()
    let count = 0
    for (const table of this.tables) {
      for (let index = 0; index < table.size && count < MOST_LISTED; index++) {
        const { low, high } = table.at(index)
        if (high - low >= NARROW) continue
        for (let key = low; key <= high; key++, count++) {
          const text = this.find(key)
          if (text !== undefined && !keys.has(text)) keys.set(text, key)
        }
      }
    }
    return keys
  }

  private find(key: number): string | undefined {
    for (const table of this.tables) {
      const index = table.find(key)
      if (index < 0) continue
      const { low, value } = table.at(index)
      return key === low ? value : countUp(value, key - low)
    }
    return undefined
  }
}

/** Returns the text with its last character increased by `step`. */
export function countUp(text: string, step: number): string | undefined {
  const unit = text.charCodeAt(text.length - 1) || 0
  const pair = text.length > 1 && unit >= 0xdc00 && unit <= 0xdfff ? (text.codePointAt(text.length - 2) ?? 0) : 0
  if (pair <= 0xffff) return text.slice(0, -1) + String.fromCharCode(unit + step)
  return pair + step > 0x10ffff ? undefined : text.slice(0, -2) + String.fromCodePoint(pair + step)
}
