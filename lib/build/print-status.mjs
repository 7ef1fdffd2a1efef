/** Prints one line of progress. */
export const tell = line => process.stdout.write(`sheaf: ${line}\n`)

/** Prints progress to stderr, if stdout is reserved for the result. */
export const tellAside = line => process.stderr.write(`sheaf: ${line}\n`)

/** Runs a start script. An error ends the process with 1. Only a programming error prints its stack. */
export async function runMain(main) {
  try {
    await main()
  } catch (error) {
    process.stderr.write(`sheaf: ${describe(error)}\n`)
    process.exit(1)
  }
}

function describe(error) {
  if (error?.code === 'EADDRINUSE')
    return `port ${error.port} of ${error.address} is in use. Stop the other program, or set another PORT.`
  if (error?.code === 'EACCES' && error.syscall === 'listen')
    return `this user can't listen on port ${error.port}. Set PORT to a port above 1023.`
  if (['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError'].includes(error?.name)) return error.stack
  const causes = error?.cause?.message ? ` (${error.cause.message})` : ''
  return error instanceof Error ? `${error.message}${causes}` : String(error)
}
