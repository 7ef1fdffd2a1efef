import type { Examination } from '../examination/examination'
import { kidsOf } from '../../../pdf/document'
import { entryOf, plainDict } from '../examination/model'
import { PDFName } from 'pdf-lib'
import { attributeOf } from './attributes'
import {
  ELEMENT_RULES,
  FIGURE_RULES,
  FORMULA_RULES,
  FORM_RULES,
  HEADING_RULES,
  NOTE_RULES,
  PLAIN_HEADING_RULES,
} from './element-rules'
import { NESTING_RULES } from './nesting-rules'
import { isElement, isGrouping } from './structure-tree'
import type { StructureElement, StructureTree } from './structure-tree'
import { layOutTable } from './table-grid'
import { findUnconnectedCell } from './find-unconnected-cell'
import { CELL_RULES, GRID_RULES, HEADER_RULES } from './table-rules'
import { hasCatalogLanguage, textEntry } from './values'

const LEVEL = /^H([1-6])$/

/** Checks all structure elements in document order. */
export function examineStructure(examination: Examination, tree: StructureTree): void {
  new StructureExaminer(examination, tree).run()
}

class StructureExaminer {
  private readonly usesH: boolean
  private readonly usesLevels: boolean
  private readonly noteIds = new Set<string>()
  private previousLevel = 0

  constructor(
    private readonly examination: Examination,
    private readonly tree: StructureTree,
  ) {
    this.usesH = tree.elements.some(({ standardType }) => standardType === 'H')
    this.usesLevels = tree.elements.some(({ standardType }) => levelOf(standardType) !== undefined)
  }

  run(): void {
    this.examineElements()
    if (this.tree.isIncomplete) this.leaveUndecided()
  }

  private examineElements(): void {
    const { examination, tree } = this
    const headings = countHeadings(tree)
    const catalogLanguage = hasCatalogLanguage(examination.document)
    for (const element of tree.elements) {
      const subject = {
        element,
        tree,
        headings: headings.get(element) ?? 0,
        hasCatalogLanguage: catalogLanguage,
      }
      examination.apply(ELEMENT_RULES, subject, element.location)
      if (element.standardType !== undefined) this.examineType(element, element.standardType)
    }
  }

  private leaveUndecided(): void {
    const { examination } = this
    examination.leaveUndecided(ELEMENT_RULES)
    examination.leaveUndecided(HEADING_RULES)
    examination.leaveUndecided(PLAIN_HEADING_RULES)
    for (const rules of NESTING_RULES.values()) examination.leaveUndecided(rules)
    for (const rules of [FIGURE_RULES, FORMULA_RULES]) examination.leaveUndecided(rules)
    examination.leaveUndecided(NOTE_RULES)
    examination.leaveUndecided(FORM_RULES)
    examination.leaveUndecided(GRID_RULES)
    examination.leaveUndecided(CELL_RULES)
    examination.leaveUndecided(HEADER_RULES)
  }

  private examineType(element: StructureElement, type: string): void {
    const { examination, tree } = this
    const { location } = element
    const nesting = NESTING_RULES.get(type)
    if (nesting) {
      const kids = tree.significantKids(element).flatMap(kid => kid.standardType ?? [])
      examination.apply(nesting, { standardType: type, parent: tree.parentTypeOf(element), kids }, location)
    }
    const level = levelOf(type)
    if (level !== undefined) this.examineHeading(element, level)
    if (type === 'H') examination.apply(PLAIN_HEADING_RULES, { usesLevels: this.usesLevels }, location)
    else if (type === 'Figure') examination.apply(FIGURE_RULES, element, location)
    else if (type === 'Formula') examination.apply(FORMULA_RULES, element, location)
    else if (type === 'Note') this.examineNote(element)
    else if (type === 'Form') this.examineForm(element)
    else if (type === 'Table') this.examineTable(element)
  }

  private examineHeading(element: StructureElement, level: number): void {
    const { previousLevel, usesH } = this
    this.examination.apply(HEADING_RULES, { element, level, previousLevel, usesH }, element.location)
    this.previousLevel = level
  }

  private examineNote(element: StructureElement): void {
    const id = textEntry(this.examination.document, element.dict, 'ID')
    const isDuplicate = id !== undefined && this.noteIds.has(id)
    if (id !== undefined) this.noteIds.add(id)
    this.examination.apply(NOTE_RULES, { id, isDuplicate }, element.location)
  }

  private examineForm(element: StructureElement): void {
    const { document } = this.examination
    const attribute = { root: this.tree.root, element: element.dict, owner: 'PrintField', key: 'Role' }
    const hasRole = attributeOf(document, attribute, value => value instanceof PDFName) !== undefined
    this.examination.apply(FORM_RULES, { hasRole, hasOnlyWidget: this.hasOnlyWidget(element) }, element.location)
  }

  /** Values that are neither elements nor content items don't count as kids. */
  private hasOnlyWidget(element: StructureElement): boolean {
    const { document } = this.examination
    const kids = kidsOf(document, element.dict).filter(kid => {
      const dict = plainDict(document, kid)
      if (!dict) return document.peekNumber(kid) !== undefined
      return (
        isElement(document, dict) || ['MCR', 'OBJR'].includes(document.peekName(entryOf(document, dict, 'Type')) ?? '')
      )
    })
    const only = kids.length === 1 ? plainDict(document, kids[0]) : undefined
    if (!only || document.peekName(entryOf(document, only, 'Type')) !== 'OBJR') return false
    const annotation = document.peekDict(entryOf(document, only, 'Obj'))
    return document.peekName(entryOf(document, annotation, 'Subtype')) === 'Widget'
  }

  private examineTable(table: StructureElement): void {
    const { examination, tree } = this
    const grid = layOutTable(examination.document, tree, table)
    examination.apply(GRID_RULES, grid, table.location)
    if (grid.state === 'too-large') {
      examination.apply(CELL_RULES, grid, table.location)
      examination.apply(HEADER_RULES, 'too-large', table.location)
    } else if (grid.state === 'intersection') {
      for (const { element } of grid.cells) examination.apply(CELL_RULES, grid, element.location)
    } else if (grid.state === 'regular') {
      const cell = findUnconnectedCell(examination.document, tree, grid.rows)
      if (cell) examination.apply(HEADER_RULES, cell, cell.element.location)
    }
  }
}

function levelOf(type: string | undefined): number | undefined {
  const match = type === undefined ? undefined : LEVEL.exec(type)
  return match ? Number(match[1]) : undefined
}

/** How many kids of each element are H. Kids come after their parents, so the elements are counted from the last. */
function countHeadings(tree: StructureTree): Map<StructureElement, number> {
  const headings = new Map<StructureElement, number>()
  for (const element of tree.elements.toReversed()) {
    const count = element.kids.reduce(
      (sum, kid) => sum + (kid.standardType === 'H' ? 1 : isGrouping(kid.standardType) ? (headings.get(kid) ?? 0) : 0),
      0,
    )
    if (count > 0) headings.set(element, count)
  }
  return headings
}
