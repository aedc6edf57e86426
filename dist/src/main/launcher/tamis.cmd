@echo off
rem tamis COMMAND [OPTIONS] [FILE...] : the tamis command. Needs a Java 17 or later.
setlocal DisableDelayedExpansion
set "JAVA=java.exe"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java.exe"
"%JAVA%" -XX:+UseSerialGC -XX:MaxNewSize=64m -XX:PretenureSizeThreshold=4m ^
  -XX:ReservedCodeCacheSize=64m -XX:MaxRAMPercentage=80 -Dfile.encoding=UTF-8 ^
  -Djdk.serialFilter=!* -XX:-PrintWarnings %TAMIS_JAVA_OPTS% ^
  -cp "%~dp0..\share\tamis\lib\*" dev.tamis.cli.Main %*
exit /b %ERRORLEVEL%
