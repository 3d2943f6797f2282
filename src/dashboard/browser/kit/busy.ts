let open = 0

/** Waits for an answer; while one is awaited for long, a line across the top of the page moves (style.css). */
export const whileBusy = async <T>(answer: Promise<T>): Promise<T> => {
  tell(1)
  try {
    return await answer
  } finally {
    tell(-1)
  }
}

const tell = (more: number) => {
  open += more
  document.documentElement.classList.toggle('busy', open > 0)
}
