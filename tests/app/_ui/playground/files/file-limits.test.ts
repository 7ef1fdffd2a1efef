import { expect, it } from 'vitest'
import { chooseAccepted, findRefusal } from '../../../../../app/_ui/playground/files/file-limits'

const MIB = 1024 * 1024
const limits = { maxBodyBytes: 100 * MIB, maxFiles: 3, accepted: chooseAccepted({ files: 'many', accepts: 'pdf' }) }
const file = (mib: number) => ({ name: `${mib}.pdf`, size: mib * MIB, type: 'application/pdf' })

it("accepts files within the request's limit and names the limit for the others", () => {
  expect(findRefusal(file(60), [], limits)).toBeUndefined()
  expect(findRefusal(file(120), [], limits)).toBe('120.pdf must be at most 100 MB. Got 120 MB. Choose a smaller file.')
  expect(findRefusal(file(60), [file(60)], limits)).toContain('the files exceed the limit of 100 MB')
  expect(findRefusal(file(1), [file(1), file(1), file(1)], limits)).toContain('at most 3 files')
  expect(findRefusal(file(0), [], limits)).toContain('is empty')
})

it.each([
  ['one', 'notes.docx', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'a PDF'],
  ['many', 'photo.png', 'image/png', 'a PDF'],
  ['html', 'report.pdf', 'application/pdf', 'an HTML file or a ZIP'],
] as const)('refuses a file of another type: %s, %s', (files, name, type, kind) =>
  expect(
    findRefusal({ name, size: 1, type }, [], { ...limits, accepted: chooseAccepted({ files, accepts: 'pdf' }) }),
  ).toBe(`${name} isn’t ${kind}. Choose ${kind}.`),
)

it.each([
  ['one', 'SCAN.PDF', ''],
  ['one', 'scan', ''],
  ['one', 'scan', 'application/pdf'],
  ['html', 'page.htm', 'text/html'],
  ['html', 'site.zip', 'application/x-zip-compressed'],
] as const)('accepts a file of a suitable or unknown type: %s, %s, %s', (files, name, type) =>
  expect(
    findRefusal({ name, size: 1, type }, [], { ...limits, accepted: chooseAccepted({ files, accepts: 'pdf' }) }),
  ).toBeUndefined(),
)

it.each([
  ['invoice.xml', 'application/xml'],
  ['invoice.xml', 'text/xml'],
  ['invoice.pdf', 'application/pdf'],
])('takes %s (%s) if the endpoint reads XML too', (name, type) => {
  const accepted = chooseAccepted({ files: 'one', accepts: 'pdf-or-xml' })
  expect(findRefusal({ name, size: 1, type }, [], { ...limits, accepted })).toBeUndefined()
  expect(findRefusal({ name: 'a.png', size: 1, type: 'image/png' }, [], { ...limits, accepted })).toBe(
    'a.png isn’t a PDF or XML file. Choose a PDF or XML file.',
  )
})
