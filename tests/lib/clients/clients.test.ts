import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { writeClients } from '../../../clients/generate/write-clients'

it('the generated parts of the clients match the declarations of the endpoints', async () => {
  const stale = [...(await writeClients())].filter(([path, text]) => readFileSync(path, 'utf8') !== text)
  expect(
    stale.map(([path]) => path),
    'run npm run clients',
  ).toEqual([])
})
