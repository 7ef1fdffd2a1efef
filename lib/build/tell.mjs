/** Prints one line of progress. */
export const tell = line => process.stdout.write(`sheaf: ${line}\n`)

/** The same where stdout belongs to the answer. */
export const tellAside = line => process.stderr.write(`sheaf: ${line}\n`)

/** Runs a start script; a failure ends the process with 1, and only a fault of the program shows its stack. */
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
    return `port ${error.port} of ${error.address} is in use. Stop what listens there, or choose another one with PORT.`
  if (error?.code === 'EACCES' && error.syscall === 'listen')
    return `this user may not listen on port ${error.port}. Choose one above 1023 with PORT.`
  if (['TypeError', 'ReferenceError', 'RangeError', 'SyntaxError'].includes(error?.name)) return error.stack
  const causes = error?.cause?.message ? ` (${error.cause.message})` : ''
  return error instanceof Error ? `${error.message}${causes}` : String(error)
}
