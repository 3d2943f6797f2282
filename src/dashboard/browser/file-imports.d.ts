declare module '*.css'
declare module '*.svg'
declare module '*/edit.css' {
  /** The address of the bundled file, seen from the script that imports it. */
  const address: string
  export default address
}
