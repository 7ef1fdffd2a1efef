import { describe, expect, it } from 'vitest'
import { Draft } from '../../fixtures/draft'
import { runOn } from '../../support/run-on'
import { findTraces } from '../../support/traces'
import { pageNumbers } from './page-tools'

describe('organize-pdf and reverse-pages', () => {
  const draft = new Draft()
  const five = draft.write()

  it('puts pages into the order given, repeats and all', async () => {
    expect(await pageNumbers((await runOn('organize-pdf', five, { pageOrder: [3, 1, 5, 2, 4] })).bytes)).toEqual([3, 1, 5, 2, 4])
    expect(await pageNumbers((await runOn('organize-pdf', five, { pageOrder: 'even,odd,1' })).bytes)).toEqual([2, 4, 1, 3, 5, 1])
  })

  it('leaves out for good what is not named', async () => {
    const { bytes } = await runOn('organize-pdf', five, { pageOrder: [5, 1] })
    expect(await pageNumbers(bytes)).toEqual([5, 1])
    expect(findTraces(bytes, draft.words(2, 3, 4))).toEqual([])
  })

  it('turns a document back to front, and twice gives the order it had', async () => {
    const once = (await runOn('reverse-pages', five)).bytes
    expect(await pageNumbers(once)).toEqual([5, 4, 3, 2, 1])
    expect(await pageNumbers((await runOn('reverse-pages', once)).bytes)).toEqual([1, 2, 3, 4, 5])
  })

  it('needs an order, and names the one that is wrong', async () => {
    await expect(runOn('organize-pdf', five)).rejects.toMatchObject({ name: 'ZodError' })
    await expect(runOn('organize-pdf', five, { pageOrder: [1, 9] })).rejects.toMatchObject({ reason: 'bad-options', problems: [{ param: 'options.pageOrder[1]' }] })
  })
})
