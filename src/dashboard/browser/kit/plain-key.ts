/** Whether a key was pressed without modifiers and outside of text fields. Such keys are shortcuts. */
export const isPlainKey = ({ target, ctrlKey, metaKey, altKey, isComposing }: KeyboardEvent): boolean => {
  const at = target as HTMLElement
  const isTyping = at.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(at.tagName)
  return !(isTyping || ctrlKey || metaKey || altKey || isComposing)
}
