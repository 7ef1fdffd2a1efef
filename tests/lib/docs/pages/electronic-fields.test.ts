import { expect, it } from 'vitest'
import { invoiceFields } from '../../../../engines/features/invoice/data/invoice'
import { describeElectronicFields } from '../../../../lib/docs/pages/electronic-fields'

const { blocks } = describeElectronicFields()
const text = JSON.stringify(blocks)
const items = invoiceFields.shape.items.element.shape

it('the page of business terms names every parameter of an invoice and of its items', () => {
  // The page has no row for what only changes the response.
  const names = Object.keys({ ...invoiceFields.shape, ...items }).filter(name => name !== 'conformance')
  expect(names.filter(name => !new RegExp(`\`${name}[\`.]`).test(text))).toEqual([])
})

it('the page of business terms has every term of EN 16931 once', () => {
  const cells = blocks.flatMap(block => (block.kind === 'table' ? block.rows.map(row => row.cells[0] ?? '') : []))
  const terms = cells.flatMap(cell =>
    cell.split(', ').flatMap(part => {
      const [first = 0, last = first] = [...part.matchAll(/BT-(\d+)/g)].map(([, number]) => Number(number))
      return Array.from({ length: last - first + 1 }, (_, index) => first + index)
    }),
  )
  const all = Array.from({ length: 165 }, (_, index) => index + 1).filter(number => number !== 4) // There is no BT-4.
  expect([...terms].sort((one, other) => one - other)).toEqual(all)
})
