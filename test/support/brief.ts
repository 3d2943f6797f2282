/** Environment for processes that live only seconds: compiling WebAssembly to the last tier costs them more than it saves. */
export const brief = { BUN_JSC_useOMGJIT: '0' }
