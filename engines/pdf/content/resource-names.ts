import { PDFDict } from 'pdf-lib'
import type { PDFName, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { stringBytes } from '../document/name-tree'
import { NAME, readName } from '../syntax/content-operands'
import { asBuffer } from '../syntax/syntax'
import { readText, writeBytes } from '../syntax/text-string'
import { ContentReader } from '../syntax/content-reader'
import { copyDict } from '../document/object-copies'

/**
 * The resource category of each operator with a resource name. The name is the last name operand (ISO 32000-2, 7.8.3).
 */
const CATEGORIES: Readonly<Record<string, string>> = {
  Tf: 'Font',
  gs: 'ExtGState',
  cs: 'ColorSpace',
  CS: 'ColorSpace',
  scn: 'Pattern',
  SCN: 'Pattern',
  sh: 'Shading',
  Do: 'XObject',
  BDC: 'Properties',
  DP: 'Properties',
}

interface Renaming {
  category: PDFName
  from: PDFName
  to: PDFName
}

/** New names of resources, by category. */
export class ResourceNames {
  private readonly renamings = new Map<string, Renaming>()

  get isEmpty(): boolean {
    return this.renamings.size === 0
  }

  add(renaming: Renaming): void {
    this.renamings.set(keyOf(renaming.category.decodeText(), renaming.from.decodeText()), renaming)
  }

  /** Returns the content with the new names. Undefined if the content names none of the renamed resources. */
  rename(content: Uint8Array): Uint8Array | undefined {
    const reader = new ContentReader(content)
    const parts: Buffer[] = []
    let copiedUntil = 0
    while (reader.next()) {
      const category = Object.hasOwn(CATEGORIES, reader.operator) ? CATEGORIES[reader.operator] : undefined
      const { operands } = reader
      let index = category === undefined ? -1 : operands.count - 1
      while (index >= 0 && operands.kinds[index] !== NAME) index--
      // The first operand of a marked-content operator is a tag, not a resource name.
      if (category === undefined || index < (category === 'Properties' ? 1 : 0)) continue
      const [start, end] = [operands.starts[index] as number, operands.ends[index] as number]
      const renaming = this.renamings.get(keyOf(category, readName(content, start, end)))
      if (!renaming) continue
      parts.push(asBuffer(content).subarray(copiedUntil, start), Buffer.from(renaming.to.asString(), 'latin1'))
      copiedUntil = end
    }
    return copiedUntil > 0 ? Buffer.concat([...parts, asBuffer(content).subarray(copiedUntil)]) : undefined
  }

  /** Adds each renamed resource under its new name too. Undefined if none of the resources is renamed. */
  repeat(document: PdfDocument, resources: PDFDict | undefined): PDFDict | undefined {
    let copy: PDFDict | undefined
    for (const { category, from, to } of resources ? this.renamings.values() : []) {
      const part = document.peekDict((copy ?? resources)?.get(category))
      const value = part?.get(from)
      if (!part || !value) continue
      copy ??= copyDict(document, resources)
      copy.set(category, PDFDict.fromMapWithContext(new Map([...part.entries(), [to, value]]), document.context))
    }
    return copy
  }

  /** A default appearance string (ISO 32000-2, 12.7.4.3) with the new names. Undefined if it doesn't change. */
  renameAppearance(value: PDFObject | undefined): PDFObject | undefined {
    const bytes = stringBytes(value)
    if (bytes === undefined) return undefined
    // The default appearance is a byte string, but some programs write it as UTF-16.
    const isWide = /^(?:\xfe\xff|\xff\xfe)/.test(bytes)
    const renamed = this.rename(isWide ? Buffer.from(readText(value) ?? '') : Buffer.from(bytes, 'latin1'))
    return renamed && writeBytes(renamed)
  }
}

function keyOf(category: string, name: string): string {
  return `${category}/${name}`
}
