import { StartError } from './project.mjs'

/** Prints one line of progress. */
export const tell = line => process.stdout.write(`sheaf: ${line}\n`)

/** The same where stdout belongs to the answer. */
export const tellAside = line => process.stderr.write(`sheaf: ${line}\n`)

/** Runs a start script; a failure ends the process with 1 and, when it is one that we foresaw, without a stack. */
export async function runMain(main) {
  try {
    await main()
  } catch (error) {
    process.stderr.write(`sheaf: ${error instanceof StartError ? error.message : (error?.stack ?? error)}\n`)
    process.exit(1)
  }
}
