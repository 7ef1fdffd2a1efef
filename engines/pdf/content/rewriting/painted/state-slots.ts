import { PDFDict, PDFName } from 'pdf-lib'
import type { PdfDocument } from '../../../document/document'
import * as Name from '../../../syntax/names'

/** Parameters of the graphics state (ISO 32000-2, tables 51 and 52) that one operator sets. */
export const SLOTS = {
  fill: 0,
  stroke: 1,
  w: 2,
  J: 3,
  j: 4,
  M: 5,
  d: 6,
  ri: 7,
  i: 8,
  Tc: 9,
  Tw: 10,
  Tz: 11,
  Tf: 12,
  Tr: 13,
  Ts: 14,
} as const

/** Parameters that only graphics state parameter dictionaries set (table 57). Two keys of a parameter share a slot. */
const PARAMETERS = new Map(
  [
    ...['OP', 'op', 'OPM', 'BG', 'UCR', 'TR', 'HT', 'SM', 'SA', 'BM', 'SMask', 'CA', 'ca', 'AIS', 'TK', 'HTO'],
    'UseBlackPtComp',
  ].map((key, index) => [key, Object.keys(SLOTS).length + index]),
)
for (const key of ['BG', 'UCR', 'TR']) PARAMETERS.set(`${key}2`, PARAMETERS.get(key) ?? 0)

/** Keys of these dictionaries for parameters that operators set too. */
const SHARED: ReadonlyMap<string, number> = new Map([
  ['LW', SLOTS.w],
  ['LC', SLOTS.J],
  ['LJ', SLOTS.j],
  ['ML', SLOTS.M],
  ['D', SLOTS.d],
  ['RI', SLOTS.ri],
  ['FL', SLOTS.i],
  ['Font', SLOTS.Tf],
])

const OP = PDFName.of('OP')

/** The parameters that affect everything that is painted. */
const ALWAYS = [...new Set(PARAMETERS.values()), SLOTS.ri]
const FILLING = [SLOTS.fill, SLOTS.i]
const STROKING = [SLOTS.stroke, SLOTS.w, SLOTS.J, SLOTS.j, SLOTS.M, SLOTS.d, SLOTS.i]
const SHOWING = [SLOTS.Tc, SLOTS.Tw, SLOTS.Tz, SLOTS.Tf, SLOTS.Tr, SLOTS.Ts]

/** The parameters that an operator depends on, by what it does. */
export const NEEDS = {
  image: ALWAYS,
  fill: [...ALWAYS, ...FILLING],
  stroke: [...ALWAYS, ...STROKING],
  both: [...new Set([...ALWAYS, ...FILLING, ...STROKING])],
  hiddenText: [...ALWAYS, ...SHOWING],
  filledText: [...ALWAYS, ...FILLING, ...SHOWING],
  everything: [...new Set([...ALWAYS, ...FILLING, ...STROKING, ...SHOWING])],
} as const

/** The parameters that a graphics state parameter dictionary sets. Unknown keys have no effect. */
export function slotsOf(parameters: PDFDict): number[] {
  const slots = new Set<number>()
  for (const key of parameters.keys()) {
    const slot = PARAMETERS.get(key.decodeText()) ?? SHARED.get(key.decodeText())
    if (slot !== undefined) slots.add(slot)
  }
  // /OP also stands for /op if that is missing.
  if (parameters.has(OP)) slots.add(PARAMETERS.get('op') ?? 0)
  return [...slots]
}

/** Returns whether a dictionary sets a soft mask with a form. The current matrix then applies to the form. */
export function setsMask(document: PdfDocument, parameters: PDFDict): boolean {
  return document.peek(parameters.get(Name.SMask)) instanceof PDFDict
}
