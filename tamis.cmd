@echo off
rem tamis COMMAND [OPTIONS] [FILE...] : the tamis command, straight from a checkout, on Windows.
rem
rem Builds the command if it has not been built; delete cli\target\launcher to build it again after a change. Running
rem needs a Java 17 or later, building a JDK and Maven.
setlocal DisableDelayedExpansion
set "ROOT=%~dp0"
set "APP=%ROOT%cli\target\launcher"
if exist "%APP%\stamp" goto run

echo tamis: building the command, once; with an empty Maven repository it takes minutes>&2
pushd "%ROOT%" || exit /b 2
call mvn -B -ntp -P quick -Dtamis.target=target/launcher -Dmaven.test.skip -pl cli -am package 1>&2 <nul
if errorlevel 1 (
  popd
  echo tamis: cannot build: Maven failed, see above>&2
  exit /b 2
)
popd
type nul >"%APP%\stamp"

:run
set "JAVA=java.exe"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java.exe"
"%JAVA%" -XX:+UseSerialGC -XX:MaxNewSize=64m -XX:PretenureSizeThreshold=4m ^
  -XX:ReservedCodeCacheSize=64m -XX:MaxRAMPercentage=80 -Dfile.encoding=UTF-8 ^
  -Djdk.serialFilter=!* -XX:-PrintWarnings %TAMIS_JAVA_OPTS% ^
  -cp "%APP%\lib\*" dev.tamis.cli.Main %*
exit /b %ERRORLEVEL%
