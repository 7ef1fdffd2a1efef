import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startFrameSites } from '../../../support/frame-sites'
import type { FrameSites } from '../../../support/frame-sites'
import { startPageRenderer } from '../../../support/web-printer'
import type { TestRenderer } from '../../../support/web-printer'
import { readPageTexts } from '../../../support/page-texts'

const LIMIT_BYTES = 800 * 2 ** 20
const FRAMES = 10

let sites: FrameSites
let renderer: TestRenderer

beforeAll(async () => {
  sites = await startFrameSites(FRAMES)
  renderer = await startPageRenderer({ allowedHosts: sites.allowedHosts, mostPageBytes: LIMIT_BYTES })
  await renderer.pages.ready()
})

afterAll(async () => {
  await renderer?.close()
  await sites?.close()
})

const isPageEnd = ({ message }: { message: string }) => message.startsWith('a page was ended: its processes held ')

describe('the memory of a page', () => {
  it('is the sum of all its processes: many small frames are ended if their total is too large', async () => {
    // Another page prints at the same time, without harm.
    const beside = renderer.print(sites.makeHeldPage('OTHER WORDS'), { timeout: 60 })
    const cause: unknown = await renderer
      .print(sites.makePage(FRAMES, 200), { timeout: 60 })
      .catch((error: unknown) => error)
    expect(cause).toMatchObject({
      reason: 'not_rendered',
      cause: expect.objectContaining({ message: expect.stringContaining('its processes held') as string }) as Error,
    })
    sites.release()
    expect((await readPageTexts((await beside).bytes)).join('')).toContain('OTHER WORDS')
    expect(renderer.notices.filter(isPageEnd)).toHaveLength(1)
    expect(renderer.notices.filter(({ message }) => message.includes('lost'))).toEqual([])
  })

  it('may be divided among frames of many sites while the total is small', async () => {
    const before = renderer.notices.length
    const { warnings } = await renderer.print(sites.makePage(FRAMES, 1), { timeout: 60 })
    expect(warnings).toEqual([])
    expect(renderer.notices).toHaveLength(before)
  })

  it('does not count for the next page', async () => {
    for (let index = 0; index < 3; index++)
      await renderer.print(
        '<script>const all = Array.from({ length: 400 }, (_, i) => new Uint8Array(2 ** 20).fill(i))</script><p>x',
        { timeout: 60 },
      )
    expect(renderer.notices.filter(isPageEnd)).toHaveLength(1)
  })
})
