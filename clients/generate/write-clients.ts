import { spawnSync } from 'node:child_process'
import { describeMcpTool } from '../../lib/clients/mcp-tools'
import { type ClientOperation, listClientOperations } from '../../lib/clients/operations'
import { writePython, writePythonAsync, writePythonNames, writePythonTypes } from './write-python'
import { writeTypeScript } from './write-typescript'

/** The generated files of the clients, by their path in the project. The current folder must be the project's. */
export async function writeClients(): Promise<Map<string, string>> {
  const operations = listClientOperations()
  return new Map([
    ['clients/typescript/src/operations.ts', format(await writeTypeScript(operations))],
    ['clients/cli/src/operations.json', format(writeCatalog(operations), 'operations.json')],
    ['clients/python/src/sheaf/_operations.py', writePython(operations)],
    ['clients/python/src/sheaf/_async_operations.py', writePythonAsync(operations)],
    ['clients/python/src/sheaf/_option_names.py', writePythonNames(operations)],
    ['clients/python/src/sheaf/_options.pyi', writePythonTypes(operations)],
  ])
}

/** The endpoints as the command line and its MCP server read them. */
function writeCatalog(operations: readonly ClientOperation[]): string {
  const entries = operations.map(operation => {
    const { examples: _, sampleFiles: __, method: ___, accepts: ____, report: _____, ...kept } = operation
    return { ...kept, tool: describeMcpTool(operation, 'paths') }
  })
  return JSON.stringify(entries)
}

/** Formats a file as the rest of the project. */
function format(text: string, name = 'operations.ts'): string {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    ['node_modules/oxfmt/bin/oxfmt', `--stdin-filepath=${name}`],
    { input: text, encoding: 'utf8', maxBuffer: 2 ** 26 },
  )
  if (status !== 0) throw new Error(`The generated code can't be formatted: ${stderr}`)
  return stdout
}
