import { PDFName } from 'pdf-lib'
import type { PDFDict } from 'pdf-lib'
import type { PdfDocument } from '../../../pdf/document'
import { NAME } from '../../../pdf/syntax'
import type { StreamWalk } from '../../../pdf/walk-content'
import type { Examination } from '../examination/examination'
import { inParts23 } from '../examination/rules'
import type { Rule } from '../examination/rules'
import { findOrAdd } from '../../../map-entries'

/** Rules on names of resources that are found only in the resources of the page or of the page tree. */
export const INHERITED_RULES: Rule<string>[] = [
  {
    in: inParts23('6.2.2-2'),
    message: 'A content stream must define all its resources in its own resource dictionary.',
    check: name => `resource ${name}`,
  },
]

/** Resource categories by the operators that use them. The name is the last operand. */
const CATEGORIES = new Map([
  ['gs', 'ExtGState'],
  ['Do', 'XObject'],
  ['sh', 'Shading'],
  ['cs', 'ColorSpace'],
  ['CS', 'ColorSpace'],
  ['scn', 'Pattern'],
  ['SCN', 'Pattern'],
  ['BDC', 'Properties'],
  ['DP', 'Properties'],
])

/** Names that aren't resources. */
const DIRECT_SPACES = new Set(['DeviceGray', 'DeviceRGB', 'DeviceCMYK', 'Pattern'])

/** Finds names of inherited resources in content. */
export class ResourceNames {
  /** Names that were checked in the current streams. */
  private readonly seen = new WeakMap<object, Set<string>>()
  private readonly isNeeded: boolean

  constructor(private readonly examination: Examination) {
    this.isNeeded = examination.has(INHERITED_RULES)
  }

  operator(walk: StreamWalk): void {
    if (!this.isNeeded) return
    const { reader } = walk
    if (reader.operator === 'Tf') this.use('Font', reader.nameAt(0), walk)
    const category = CATEGORIES.get(reader.operator)
    if (category === undefined || reader.operands.kinds[reader.operands.count - 1] !== NAME) return
    const isPattern = category === 'Pattern'
    const { fill, stroke } = walk.state
    if (isPattern && !(reader.operator === 'scn' ? fill : stroke).pattern) return
    this.use(category, reader.name, walk)
  }

  private use(category: string, name: string | undefined, walk: StreamWalk): void {
    if (name === undefined || (category === 'ColorSpace' && DIRECT_SPACES.has(name))) return
    const { stream } = walk
    const seen = findOrAdd(this.seen, stream, () => new Set())
    const key = `${category} ${name}`
    if (seen.has(key)) return
    seen.add(key)
    if (isInherited(walk, category, name)) this.examination.apply(INHERITED_RULES, name, walk.location)
  }
}

function isInherited({ document, stream }: StreamWalk, category: string, name: string): boolean {
  const { resources, pageResources, kind, hasOwnResources } = stream
  const isFound = has(document, resources, category, name)
  if (hasOwnResources || (kind === 'glyph' && resources !== pageResources))
    return !isFound && has(document, pageResources, category, name)
  // Readers take the resources of the page then, also for glyphs (ISO 32000-1, table 112).
  return isFound
}

function has(document: PdfDocument, resources: PDFDict | undefined, category: string, name: string): boolean {
  return document.peekDict(resources?.get(PDFName.of(category)))?.has(PDFName.of(name)) ?? false
}
