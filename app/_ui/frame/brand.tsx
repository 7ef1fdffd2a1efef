/** The logo, as in `app/icon.svg`: three sheets and a band. */
export function Mark() {
  return (
    <svg viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="7" fill="#0b6b54" />
      <g fill="none" stroke="#fff" strokeWidth="2" strokeLinejoin="round">
        <path d="M12 6h9v17" opacity=".55" />
        <path d="M9.5 8.5h9v17" opacity=".8" />
        <path d="M7 11h9v15H7z" fill="#fff" />
      </g>
      <path d="M5 18.5h13" stroke="#e8b53a" strokeWidth="3" strokeLinecap="round" />
    </svg>
  )
}
