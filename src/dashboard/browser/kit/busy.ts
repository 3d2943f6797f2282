let open = 0

/** Waits for an answer. If that takes long, a line moves across the top of the page (style.css). */
export const whileBusy = async <T>(answer: Promise<T>): Promise<T> => {
  count(1)
  try {
    return await answer
  } finally {
    count(-1)
  }
}

const count = (more: number) => {
  open += more
  document.documentElement.classList.toggle('busy', open > 0)
}
