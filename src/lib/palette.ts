/** The colors of pages, the API page and mails, light and dark. A test checks that `style.css` has the same. */
export const palette = {
  light: {
    ...{ paper: '#fbfaf7', raised: '#ffffff', sunken: '#f2f0ea', ink: '#1b1f24', faint: '#59616b', line: '#d9d7d0' },
    ...{ accent: '#1d4ed8', 'on-accent': '#ffffff', good: '#0f6b3a', bad: '#b3261e' },
  },
  dark: {
    ...{ paper: '#14171b', raised: '#1d2126', sunken: '#191c21', ink: '#e8eaed', faint: '#a8b0ba', line: '#3a4049' },
    ...{ accent: '#8ab4ff', 'on-accent': '#0b1a33', good: '#7fd6a2', bad: '#ff9c94' },
  },
} as const

/** Colors as CSS declarations: `--paper: #fbfaf7; …`. */
export const asVariables = (colors: Record<string, string>): string =>
  Object.entries(colors)
    .map(([name, color]) => `--${name}: ${color};`)
    .join(' ')
