import { expect, it } from 'vitest'
import { CODES, isCreditNote } from '../../../../../engines/standards/einvoice/codes/codes'
import { findSymbol, findUnitCode } from '../../../../../engines/standards/einvoice/codes/units'

it.each([
  ['hours', 'HUR'],
  ['Std.', 'HUR'],
  ['h', 'HUR'],
  ['heures', 'HUR'],
  ['godz.', 'HUR'],
  ['時間', 'HUR'],
  ['pcs', 'H87'],
  ['Stück', 'H87'],
  ['szt.', 'H87'],
  ['KG', 'KGM'],
  ['m²', 'MTK'],
  ['Tage', 'DAY'],
  ['months', 'MON'],
  ['Lump  Sum', 'LS'],
  ['kWh', 'KWH'],
  ['ea', 'H87'],
  ['hur', 'HUR'],
  ['XPK', 'XPK'],
  ['C62', 'C62'],
  ['furlongs per fortnight', undefined],
  ['', undefined],
])('the unit %j has the code %s', (text, code) => {
  expect(findUnitCode(text)).toBe(code)
})

it('every unit that has a name is in the code list', () => {
  for (const text of ['t', 'g', 'mg', 'lb', 'oz', 'cm', 'mm', 'km', 'ft', 'in', 'mi', 'ml', 'gal', 'mwh', 'kw', 'set'])
    expect(CODES.units.has(findUnitCode(text) ?? '')).toBe(true)
})

it('a unit has a symbol for people, and pieces have none', () => {
  expect([findSymbol('HUR'), findSymbol('c62'), findSymbol('XPK'), findSymbol(undefined)]).toEqual([
    'h',
    '',
    'XPK',
    undefined,
  ])
})

it('type codes of credit notes are known', () => {
  expect(['380', '381', '384', '396', undefined].map(isCreditNote)).toEqual([false, true, false, true, false])
})
