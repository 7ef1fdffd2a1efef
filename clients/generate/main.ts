import { readFileSync, writeFileSync } from 'node:fs'
import { writeClients } from './write-clients'

// `npm run clients` writes the parts of the clients that follow from the declarations of the endpoints.
// tests/lib/clients/clients.test.ts fails if they are stale.

const written: string[] = []
for (const [path, text] of await writeClients()) {
  if (text === readIfThere(path)) continue
  writeFileSync(path, text)
  written.push(path)
}
process.stdout.write(written.length > 0 ? `Written: ${written.join(', ')}\n` : 'The clients are up to date.\n')

function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}
