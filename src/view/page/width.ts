/** The width of the page. */
import { useEffect, useState } from "react";

const current = () => document.documentElement.clientWidth;

/** Pixels, without the scroll bar. */
export function usePageWidth(): number {
  const [width, setWidth] = useState(current);
  useEffect(() => {
    const update = () => setWidth(current());
    window.addEventListener("resize", update);
    return () => window.removeEventListener("resize", update);
  }, []);
  return width;
}
