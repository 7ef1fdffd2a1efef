import { expect, it } from 'vitest'
import { findRefusal } from '../../../../../app/_ui/playground/files/file-limits'

const MIB = 1024 * 1024
const limits = { maxBodyBytes: 100 * MIB, maxFiles: 3 }
const file = (mib: number) => ({ name: `${mib}.pdf`, size: mib * MIB })

it("accepts files within the request's limit and names the limit for the others", () => {
  expect(findRefusal(file(60), [], limits)).toBeUndefined()
  expect(findRefusal(file(120), [], limits)).toBe('120.pdf must be at most 100 MB. Got 120 MB. Choose a smaller file.')
  expect(findRefusal(file(60), [file(60)], limits)).toContain('the files exceed the limit of 100 MB')
  expect(findRefusal(file(1), [file(1), file(1), file(1)], limits)).toContain('at most 3 files')
  expect(findRefusal(file(0), [], limits)).toContain('is empty')
})
