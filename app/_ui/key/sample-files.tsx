/** Links to the two files that the first request merges. */
export function SampleFiles() {
  return (
    <>
      <a href="/samples/letter.pdf" download>
        letter.pdf
      </a>{' '}
      and{' '}
      <a href="/samples/terms.pdf" download>
        terms.pdf
      </a>
    </>
  )
}
