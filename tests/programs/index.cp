\entry{alpha}{1}{alpha}
\entry{beta}{2}{beta}
\entry{Alpha}{3}{Alpha}
\entry{alpha}{4}{alpha}
\entry{gamma, with more}{5}{gamma, with \code {more}}
\entry{10}{6}{10}
