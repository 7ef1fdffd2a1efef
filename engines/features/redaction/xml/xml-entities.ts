import { readNamedEntity } from '../search-rules/named-entities'
import { withoutTags } from './xml-tokens'

/** Maximum number of characters that the entities of one document may expand to, and maximum nesting of entities. */
const MOST_EXPANDED = 100_000
const MAX_DEPTH = 8

const REFERENCE = /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([\p{L}_:][\p{L}\p{N}_:.-]{0,100}));/uy

/** Resolves the character and entity references of one XML document. */
export class XmlEntities {
  /** `false` once a reference can't be resolved, because it is unknown or external, or expands to too much text. */
  isSound = true
  private readonly declared = new Map<string, string>()
  private expanded = 0

  /** `types` are the document type declarations of the source, which may declare entities. */
  constructor(types: readonly string[]) {
    for (const type of types) {
      if (/<!ENTITY\s+(?:%|[^\s>]+\s+(?:SYSTEM|PUBLIC))/.test(type)) this.isSound = false
      for (const [, name = '', double, single] of type.matchAll(/<!ENTITY\s+([^\s%"'>]+)\s+(?:"([^"]*)"|'([^']*)')/g)) {
        if (!this.declared.has(name)) this.declared.set(name, double ?? single ?? '')
      }
    }
  }

  /** Reads the reference at a position. Returns its text and its end, or undefined if there is no reference. */
  read(source: string, at: number, depth = 0): { text: string; end: number } | undefined {
    REFERENCE.lastIndex = at
    const [whole, decimal, hexadecimal, name = ''] = REFERENCE.exec(source) ?? []
    if (whole === undefined) return undefined
    const end = at + whole.length
    const number = decimal ?? hexadecimal
    if (number !== undefined) {
      const code = Number.parseInt(number, decimal === undefined ? 16 : 10)
      return { text: code <= 0x10ffff ? String.fromCodePoint(code) : '', end }
    }
    const value = this.declared.get(name)
    if (value !== undefined) return { text: this.expand(value, depth + 1), end }
    const predefined = readNamedEntity(name)
    if (predefined === undefined) this.isSound = false
    return { text: predefined ?? '', end }
  }

  /** Replaces the references in a text. */
  decode(text: string, depth = 0): string {
    let decoded = ''
    for (let at = 0; at < text.length;) {
      const reference = text[at] === '&' ? this.read(text, at, depth) : undefined
      decoded += reference?.text ?? text[at]
      at = reference?.end ?? at + 1
    }
    return decoded
  }

  private expand(value: string, depth: number): string {
    this.expanded += value.length
    if (depth > MAX_DEPTH || this.expanded > MOST_EXPANDED) {
      this.isSound = false
      return ''
    }
    return withoutTags(this.decode(value, depth))
  }
}
