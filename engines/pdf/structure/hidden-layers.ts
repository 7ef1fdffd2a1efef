import { PDFArray, PDFDict } from 'pdf-lib'
import type { PDFName, PDFObject } from 'pdf-lib'
import type { PdfDocument } from '../document/document'
import { hiddenGroups } from './layers'
import type { LayerView } from './layers'
import * as Name from '../syntax/names'

/** For each view, the event and the entry with the group's state in its usage dictionary (ISO 32000-2, table 101). */
const EVENTS: Readonly<Record<LayerView, { event: PDFName; state: PDFName }>> = {
  screen: { event: Name.View, state: Name.ViewState },
  print: { event: Name.Print, state: Name.PrintState },
}

/** Maximum number of terms in a visibility expression, and maximum nesting of expressions. */
const MAX_TERMS = 10_000
const MAX_DEPTH = 100

/** The layers (optional content groups, ISO 32000-2, 8.11) that are hidden on screen after opening, or in print. */
export class HiddenLayers {
  private readonly groups: ReadonlySet<PDFObject>

  constructor(
    private readonly document: PdfDocument,
    view: LayerView = 'screen',
  ) {
    this.groups = findHidden(document, view)
  }

  get isEmpty(): boolean {
    return this.groups.size === 0
  }

  /**
   * Returns whether content of this group is hidden, or of a membership dictionary with an expression or policy (table
   * 97).
   */
  hides(value: PDFObject | undefined): boolean {
    const { document } = this
    if (value === undefined || this.groups.has(value)) return value !== undefined
    const membership = document.peekDict(value)
    const expression = document.peek(membership?.get(Name.VE))
    if (expression instanceof PDFArray) return !(this.isTrue(expression) ?? true)
    const groupsValue = membership?.get(Name.OCGs)
    const list = document.peek(groupsValue)
    const members = (list instanceof PDFArray ? list.asArray() : groupsValue ? [groupsValue] : []).filter(member =>
      document.peekDict(member),
    )
    if (members.length === 0) return false
    const hidden = members.filter(member => this.groups.has(member)).length
    const policy = document.peek(membership?.get(Name.P))?.toString()
    if (policy === '/AllOn') return hidden > 0
    if (policy === '/AnyOff') return hidden === 0
    return policy === '/AllOff' ? hidden < members.length : hidden === members.length
  }

  /** Evaluates a visibility expression (8.11.2.2). A visible group is true. Undefined if the expression is invalid. */
  private isTrue(expression: PDFArray): boolean | undefined {
    const { document, groups } = this
    const open: Term[] = []
    let [term, result, count]: [PDFObject | undefined, boolean | undefined, number] = [expression, undefined, 0]
    for (;;) {
      const object = document.peek(term)
      if (++count > MAX_TERMS || open.length > MAX_DEPTH) return undefined
      if (object instanceof PDFArray) {
        open.push({ operator: document.peek(object.asArray()[0]), operands: object.asArray().slice(1), at: 0 })
        result = undefined
      } else result = term !== undefined && !groups.has(term)
      // Go to the next operand of the innermost open expression, or leave the expression.
      for (;;) {
        const above = open.at(-1)
        if (!above) return result
        const isDecided =
          result !== undefined && ((above.operator === Name.And && !result) || (above.operator === Name.Or && result))
        if (above.operator === Name.Not && result !== undefined) result = !result
        else if (!isDecided && above.at < above.operands.length) {
          term = above.operands[above.at++]
          break
        } else if (result === undefined || ![Name.And, Name.Or].some(operator => operator === above.operator))
          return undefined
        open.pop()
      }
    }
  }
}

/** An expression that is being evaluated. */
interface Term {
  operator: PDFObject | undefined
  operands: PDFObject[]
  /** Index of the next operand. */
  at: number
}

function findHidden(document: PdfDocument, view: LayerView): Set<PDFObject> {
  const properties = document.peekDict(document.catalog.get(Name.OCProperties))
  if (!properties) return new Set()
  const configuration = document.peekDict(properties.get(Name.D)) ?? PDFDict.withContext(document.context)
  const groups = document.peekItems(properties.get(Name.OCGs))
  const hidden = new Set(hiddenGroups(document, configuration, groups))
  for (const [group, isSeen] of statesByUsage(document, configuration, view)) {
    if (isSeen) hidden.delete(group)
    else hidden.add(group)
  }
  // A group hides nothing if its intent differs from the configuration's intent (8.11.2.3).
  const intents = intentsOf(document, configuration)
  const isMeant = (group: PDFObject): boolean =>
    intents.has(Name.All) || [...intentsOf(document, document.peekDict(group))].some(intent => intents.has(intent))
  return new Set([...hidden].filter(isMeant))
}

function intentsOf(document: PdfDocument, dict: PDFDict | undefined): Set<PDFObject | undefined> {
  const intent = document.peek(dict?.get(Name.Intent)) ?? Name.View
  return new Set(intent instanceof PDFArray ? intent.asArray().map(item => document.peek(item)) : [intent])
}

/** Visibility of groups that readers switch automatically (8.11.4.4). A group is hidden if any entry hides it. */
function statesByUsage(document: PdfDocument, configuration: PDFDict, view: LayerView): Map<PDFObject, boolean> {
  const states = new Map<PDFObject, boolean>()
  const { event, state } = EVENTS[view]
  for (const item of document.peekItems(configuration.get(Name.AS))) {
    const usage = document.peekDict(item)
    const applies =
      document.peek(usage?.get(Name.Event)) === event &&
      document
        .peekArray(usage?.get(Name.Category))
        ?.asArray()
        .some(category => document.peek(category) === event)
    if (!applies) continue
    for (const group of document.peekItems(usage?.get(Name.OCGs))) {
      const stated = document.peek(
        document.peekDict(document.peekDict(document.peekDict(group)?.get(Name.Usage))?.get(event))?.get(state),
      )
      if (stated === Name.ON || stated === Name.OFF)
        states.set(group, stated === Name.ON && states.get(group) !== false)
    }
  }
  return states
}
