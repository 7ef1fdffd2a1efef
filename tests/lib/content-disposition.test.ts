import { expect, it } from 'vitest'
import { writeContentDisposition } from '../../lib/content-disposition'

it.each([
  ['report-rotated.pdf', 'attachment; filename="report-rotated.pdf"; filename*=UTF-8\'\'report-rotated.pdf'],
  [
    'Żółć 報告.pdf',
    'attachment; filename="Zo_c _.pdf"; filename*=UTF-8\'\'%C5%BB%C3%B3%C5%82%C4%87%20%E5%A0%B1%E5%91%8A.pdf',
  ],
  ['報告.pdf', 'attachment; filename="document.pdf"; filename*=UTF-8\'\'%E5%A0%B1%E5%91%8A.pdf'],
  ['a/b\\c\r\nX: "1\'.pdf', 'attachment; filename="a-b-c--X_ _1_.pdf"; filename*=UTF-8\'\'a-b-c--X%3A%20%221%27.pdf'],
  ['\u202efdp.exe\ud800', 'attachment; filename="-fdp.exe_"; filename*=UTF-8\'\'-fdp.exe%EF%BF%BD'],
  ['(1)*.pdf', 'attachment; filename="_1_.pdf"; filename*=UTF-8\'\'%281%29%2A.pdf'],
])('writes %j for every client', (name, expected) => {
  expect(writeContentDisposition(name)).toBe(expected)
})
